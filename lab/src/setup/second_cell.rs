// The second cell of a kernel, behind a `:dep` for the library. The type of one variable is looked
// for, with the library's names in scope: that takes seconds the first time, and so happens before
// the reader's own first variable. The variable is gone again at the end of the cell.
{
    use fencing::*;
}
let lab_warm_up = String::new();
drop(lab_warm_up);
// Cargo has just struck from the lock file what the library alone does not use. A notebook's first
// cell may ask for more: see MORE in template.rs.
if let Ok(folder) = std::env::var("EVCXR_TMPDIR") {
    let folder = std::path::Path::new(&folder);
    let _ = std::fs::copy(folder.join("library.lock"), folder.join("Cargo.lock"));
}
