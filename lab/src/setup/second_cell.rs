// The second cell of a kernel, behind a `:dep` for the library. The type of one variable is looked
// for, with the library's names in scope: that takes seconds the first time, and so happens before
// the reader's own first variable. The variable is gone again at the end of the cell.
{
    use fencing::*;
}
let lab_warm_up = String::new();
drop(lab_warm_up);
