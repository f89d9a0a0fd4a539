check_02_2(millis(7_500))
