check_09_4(millis(6_300))
