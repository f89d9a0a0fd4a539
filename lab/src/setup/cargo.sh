#!/bin/sh
# What a kernel calls in the place of cargo.
#
# Before evcxr takes a `:dep` line for good, it lets cargo look at it in a package that has no other
# dependency, in the kernel's own folder. Cargo then strikes everything else from the lock file there,
# and would look for newer versions of it and compile them. So the lock file is put back.
case " $* " in *" metadata "*) is_metadata=1 ;; *) is_metadata=0 ;; esac
if [ $is_metadata = 1 ] && [ -f Cargo.lock ] && grep -q evcxr_dummy_validate_dep Cargo.toml; then
    cp -p Cargo.lock Cargo.lock.kept
    "$LAB_CARGO" "$@"
    status=$?
    mv Cargo.lock.kept Cargo.lock
    exit $status
fi
exec "$LAB_CARGO" "$@"
