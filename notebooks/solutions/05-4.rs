fn renews(now: Time, granted: Time, progress: Time) -> bool {
    now - progress <= secs(15)
}

check_05_4(renews)
