check_03_1("b")
