check_05_2(millis(2_600))
