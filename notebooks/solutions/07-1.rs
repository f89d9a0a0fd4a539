check_07_1("ade")
