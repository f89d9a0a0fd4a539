check_08_4(Seed(8), "hebdaf")
