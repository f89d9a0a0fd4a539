check_01_2(millis(7_300))
