check_04_1("b")
