#!/usr/bin/env bash
# Lets Microsoft's sarif-multitool judge SARIF logs: those that are named, or else the golden ones, which are then checked against
# the schema too. It is installed by npm into a temporary folder. Warnings are printed; an error ends with status 1.
#
#   validate/report/sarif-validate.sh [LOG…]
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT

npm install --silent --no-audit --no-fund --prefix "$tools" @microsoft/sarif-multitool >&2
package=("$tools"/node_modules/@microsoft/sarif-multitool-*)
chmod u+x "${package[0]}/Sarif.Multitool"

judge() {
	local log=$1 verdict="$tools/verdict.sarif"
	"${package[0]}/Sarif.Multitool" validate "$log" --rule-kind 'Sarif;Gh' --output "$verdict" --log ForceOverwrite
	if grep -q '"level": *"error"' "$verdict"; then
		echo "sarif-validate.sh: $log has errors" >&2
		return 1
	fi
}

if [ $# -eq 0 ]; then
	set -- "$here"/testdata/*.sarif
	(cd "$here" && SARIF_SCHEMA="${package[0]}/sarif-2.1.0.json" go test -count=1 -run 'TestSARIFSchema' -v .)
fi
for log in "$@"; do
	judge "$log"
done
