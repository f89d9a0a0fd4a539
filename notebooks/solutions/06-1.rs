check_06_1("b")
