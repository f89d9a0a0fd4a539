check_01_1("c")
