check_05_1(60)
