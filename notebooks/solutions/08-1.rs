check_08_1("d")
