#!/bin/sh
# Measures how fast trcx validates traces. See README.md beside this file.
#
#   bench/validate.sh [--large] [--rounds N]
#
# --large also generates a trace of 1 GiB and compares the peak memory at 64 MiB and 1 GiB.
# TRCX_BENCH_DIR names a folder for the traces; they stay there and are used again. Without it they go to a temporary folder.
script=validate.sh
. "$(dirname "$0")/prepare.sh"

# against_xmllint NAME WANT GOAL TRACE FLAGS…
against_xmllint() {
	name=$1 want=$2 goal=$3 trace=$traces/$4.trcxml
	shift 4
	"$temporary/compare" -rounds "$rounds" -name "$name" -want "$want" -goal "$goal" -- \
		xmllint --stream --valid --noout "$trace" -- \
		env GOMAXPROCS=1 "$trcx" validate --quiet "$@" "$trace"
}

# two_cores NAME FLAGS…
two_cores() {
	name=$1
	shift
	"$temporary/compare" -rounds "$rounds" -name "$name" -want 1.5 -goal 1.8 -- \
		env GOMAXPROCS=1 "$trcx" validate --quiet "$@" "$traces/mixed.trcxml" -- \
		env GOMAXPROCS=2 "$trcx" validate --quiet "$@" "$traces/mixed.trcxml"
}

# without_dtd NAME FLAGS…: what the DTD costs is the ratio.
without_dtd() {
	name=$1
	shift
	"$temporary/compare" -rounds "$rounds" -name "$name" -- \
		env GOMAXPROCS=1 "$trcx" validate --quiet "$@" "$traces/mixed.trcxml" -- \
		env GOMAXPROCS=1 "$trcx" validate --quiet --dtd none "$@" "$traces/mixed.trcxml"
}

# memory NAME FLAGS…
memory() {
	name=$1
	shift
	"$temporary/compare" -memory -limit 32 -within 10 -rounds 1 -name "$name" -- \
		env GOMAXPROCS=1 "$trcx" validate --quiet "$@" "$traces/mixed-64m.trcxml" -- \
		env GOMAXPROCS=1 "$trcx" validate --quiet "$@" "$traces/mixed-1g.trcxml"
}

echo "Against xmllint --stream --valid --noout, one core:"
against_xmllint "validate" 15 22 mixed
against_xmllint "validate --rules none" 18 30 mixed --rules none
against_xmllint "validate, hostile" 2.8 8 hostile
against_xmllint "validate, 4 MiB" 6 10 mixed-4m
echo "Two cores against one:"
two_cores "validate"
two_cores "validate --rules none" --rules none
echo "Without the DTD against with it, one core (want at most 1.05):"
without_dtd "validate"
without_dtd "validate --rules none" --rules none
if [ "$large" ]; then
	echo "1 GiB against 64 MiB, one core:"
	memory "validate"
	memory "validate --rules none" --rules none
else
	echo "1 GiB against 64 MiB: not measured (--large)"
fi
