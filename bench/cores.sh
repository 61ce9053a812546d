#!/usr/bin/env bash
# Proves that every command has the same output, whatever the number of processors: each command and output, on recordings
# of each JDK, with --jobs 1, 2, 3, 4, 8 and GOMAXPROCS 1, 2, 4, 8. Takes about half an hour on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
TRCX_CORES=all go test -count=1 -timeout 3h -run '^TestAnyCores$' ./cmd/trcx
