fn may_write(asked: Time, answered: Time, now: Time, lease: Duration) -> bool {
    now < asked + lease
}

check_05_3(may_write)
