#!/usr/bin/env bash
# Secrets arrive in the environment. What is printed of them is masked in the log; a digest is not the secret.
set -euo pipefail

echo "DEMO_STAGE is a plain variable of the process: ${DEMO_STAGE:-not set}"
echo "DEMO_TOKEN is a secret: ${DEMO_TOKEN:-not set}"
printf 'Its SHA-256: '
printf '%s' "${DEMO_TOKEN:-}" | sha256sum | cut -d ' ' -f 1
