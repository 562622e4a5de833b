#!/usr/bin/env bash
# Plain variables arrive as name=value arguments, sorted by name.
set -euo pipefail

greeting="Hello"
name="world"
for argument in "$@"; do
  case "$argument" in
    greeting=*) greeting="${argument#greeting=}" ;;
    name=*) name="${argument#name=}" ;;
  esac
done

printf '\033[1;32m%s, %s!\033[0m\n' "$greeting" "$name"
printf 'This is \033[36m%s\033[0m on \033[36m%s\033[0m, %s.\n' "$(id -un)" "$(uname -n)" "$(date -u '+%Y-%m-%d %H:%M:%S UTC')"
printf '\nThe sixteen colours of a terminal:\n'
for code in 30 31 32 33 34 35 36 37 90 91 92 93 94 95 96 97; do
  printf '\033[%sm %3s \033[0m' "$code" "$code"
done
printf '\n\033[1mbold\033[0m  \033[3mitalic\033[0m  \033[4munderlined\033[0m  \033[7minverse\033[0m\n'
printf 'Errors and output keep their order:\n'
for number in 1 2 3; do
  echo "  output $number"
  echo "  error $number" >&2
done
