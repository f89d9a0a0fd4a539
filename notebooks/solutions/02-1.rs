check_02_1("c")
