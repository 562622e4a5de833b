#!/usr/bin/env bash
set -euo pipefail

version="${SIGNALBOX_TASK_INCOMING_VERSION:-unknown}"
printf '\033[1mDeploying version %s\033[0m\n' "$version"
for host in web-1 web-2 web-3; do
  printf '  %s: taken out of the pool\n' "$host"
  sleep 0.5
  printf '  %s: \033[32mversion %s is up\033[0m\n' "$host" "$version"
done
