check_06_3("ad")
