check_08_3("ae")
