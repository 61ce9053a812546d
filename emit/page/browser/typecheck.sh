#!/usr/bin/env bash
# Checks the types of emit/page/web with TypeScript's compiler, which npm installs into a temporary folder. Exit status 3: there is no npm.
set -euo pipefail
version=7.0.2
web=$(cd "$(dirname "$0")/../web" && pwd)

command -v npm >/dev/null || {
	echo "typecheck.sh: there is no npm; install Node to check the types" >&2
	exit 3
}
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
npm install --silent --no-audit --no-fund --prefix "$tools" "typescript@$version" >&2
"$tools/node_modules/.bin/tsc" --project "$web/tsconfig.json"
