fn accepts(seen: (Token, u64), write: (Token, u64)) -> bool {
    seen < write
}

check_06_4(accepts)
