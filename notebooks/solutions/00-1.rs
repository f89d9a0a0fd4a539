check_00_1(4)
