let mine = Scenario {
    clients: 3,
    work: Delay::constant(millis(500)),
    ..calm.clone()
};
check_00_2(&mine)
