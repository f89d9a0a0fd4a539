check_07_4("c")
