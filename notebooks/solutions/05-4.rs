fn renews(now: Time, granted: Time, progress: Time) -> bool {
    now - progress <= secs(30)
}

check_05_4(renews)
