#!/usr/bin/env bash
set -uo pipefail

echo "Looking for the configuration"
sleep 1
echo "Found it"
echo
printf '\033[1;31mERROR: the disk of db-2 is full (0 bytes left)\033[0m\n' >&2
echo "Nothing was changed."
exit 3
