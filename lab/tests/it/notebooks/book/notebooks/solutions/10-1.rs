fn twice(n: i32) -> i32 {
    n + n
}
twice(4)
