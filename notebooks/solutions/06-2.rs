fn tag(_content: u64, version: u64, _token: Token) -> u64 {
    version
}

check_06_2(tag)
