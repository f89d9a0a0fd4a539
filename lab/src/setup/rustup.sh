#!/bin/sh
# What a kernel calls in the place of rustup, to ask where cargo is: see cargo.sh. Everything else goes
# to the real one, if there is one.
if [ "$1 $2 $#" = "which cargo 2" ]; then
    echo "$(dirname "$0")/cargo"
    exit
fi
PATH=$LAB_PATH exec rustup "$@"
