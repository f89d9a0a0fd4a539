check_07_1("ace")
