const WRITE: &str = "
    UPDATE account SET value = ?1, version = version + 1, token = ?2
    WHERE id = 1 AND token <= ?2
";

check_03_5(|| SqlStore::open(READ, WRITE))
