fn add_one(counter: &mut SharedCounter) {
    loop {
        let seen = counter.read();
        if counter.write_if(seen.version, seen.value + 1).is_ok() {
            return;
        }
    }
}

check_08_2(add_one)
