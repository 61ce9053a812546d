#!/bin/sh
# Measures the speed and memory of trcx validate. README.md explains the output.
#
#   bench/validate.sh [--large] [--rounds N]
#
# --large also generates a trace of 1 GiB and compares the peak memory at 64 MiB and 1 GiB.
# TRCX_BENCH_DIR names a folder in which the traces are kept and used again. Without it they are temporary.
script=validate.sh
. "$(dirname "$0")/prepare.sh"

# without_dtd NAME FLAGS…
without_dtd() {
	name=$1
	shift
	"$temporary/compare" -rounds "$rounds" -name "$name" -- \
		env GOMAXPROCS=1 "$trcx" validate --quiet "$@" "$traces/mixed.trcxml" -- \
		env GOMAXPROCS=1 "$trcx" validate --quiet --dtd none "$@" "$traces/mixed.trcxml"
}

echo "Against xmllint --stream --valid --noout, one core:"
against_xmllint "validate" 15 22 mixed validate --quiet
against_xmllint "validate --rules none" 18 30 mixed validate --quiet --rules none
against_xmllint "validate, hostile" 6 8 hostile validate --quiet
against_xmllint "validate --rules none, hostile" 6 8 hostile validate --quiet --rules none
against_xmllint "validate, 4 MiB" 6 10 mixed-4m validate --quiet
echo "Two cores against one:"
two_cores "validate" 1.8 1.9 validate --quiet
two_cores "validate --rules none" 1.8 1.9 validate --quiet --rules none
echo "Without the DTD against with it, one core (want at most 1.05):"
without_dtd "validate"
without_dtd "validate --rules none" --rules none
if [ "$large" ]; then
	echo "1 GiB against 64 MiB, one core:"
	memory "validate" 32 validate --quiet
	memory "validate --rules none" 32 validate --quiet --rules none
else
	echo "1 GiB against 64 MiB: not measured (--large)"
fi
