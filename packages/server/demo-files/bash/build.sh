#!/usr/bin/env bash
set -euo pipefail

steps=(
  "Reading the sources"
  "Checking the format"
  "Compiling 48 files"
  "Running 312 tests"
  "Packing the result"
)
version="${SIGNALBOX_TASK_TARGET_VERSION:-0.0.0}"
printf '\033[1mBuilding version %s\033[0m\n' "$version"
for index in "${!steps[@]}"; do
  printf '\n\033[34m[%d/%d]\033[0m %s\n' "$((index + 1))" "${#steps[@]}" "${steps[index]}"
  for percent in 10 20 30 40 50 60 70 80 90 100; do
    printf '      %3d %%\n' "$percent"
    sleep 0.4
  done
done
printf '\n\033[1;32mBuilt version %s\033[0m\n' "$version"
