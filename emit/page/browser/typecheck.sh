#!/usr/bin/env bash
# Checks the types of emit/page/web with TypeScript's compiler, which make deps installs.
set -euo pipefail
compiler=${XDG_CACHE_HOME:-$HOME/.cache}/trcx-test/npm/node_modules/.bin/tsc
[ -x "$compiler" ] || {
	echo "typecheck.sh: TypeScript is not installed; run make deps" >&2
	exit 3
}
"$compiler" --project "$(dirname "$0")/../web/tsconfig.json"
