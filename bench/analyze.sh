#!/bin/sh
# Measures how fast trcx answers questions about traces. See README.md beside this file.
#
#   bench/analyze.sh [--large] [--rounds N]
#
# --large also generates a trace of 1 GiB and compares the peak memory at 64 MiB and 1 GiB.
# TRCX_BENCH_DIR names a folder for the traces; they stay there and are used again. Without it they go to a temporary folder.
script=analyze.sh
. "$(dirname "$0")/prepare.sh"

# against_xmllint NAME WANT GOAL COMMAND…
against_xmllint() {
	name=$1 want=$2 goal=$3
	shift 3
	"$temporary/compare" -rounds "$rounds" -name "$name" -want "$want" -goal "$goal" -- \
		xmllint --stream --valid --noout "$traces/mixed.trcxml" -- \
		env GOMAXPROCS=1 "$trcx" "$@" --quiet -o /dev/null "$traces/mixed.trcxml"
}

# two_cores NAME COMMAND…
two_cores() {
	name=$1
	shift
	"$temporary/compare" -rounds "$rounds" -name "$name" -want 1.0 -goal 1.5 -- \
		env GOMAXPROCS=1 "$trcx" "$@" --quiet -o /dev/null "$traces/mixed.trcxml" -- \
		env GOMAXPROCS=2 "$trcx" "$@" --quiet -o /dev/null "$traces/mixed.trcxml"
}

# memory NAME COMMAND…
memory() {
	name=$1
	shift
	"$temporary/compare" -memory -limit 64 -within 10 -rounds 1 -name "$name" -- \
		env GOMAXPROCS=1 "$trcx" "$@" --quiet -o /dev/null "$traces/mixed-64m.trcxml" -- \
		env GOMAXPROCS=1 "$trcx" "$@" --quiet -o /dev/null "$traces/mixed-1g.trcxml"
}

echo "Against xmllint --stream --valid --noout, one core:"
against_xmllint "stats" 10 18 stats
against_xmllint "path" 10 18 path
against_xmllint "deadlocks" 5 10 deadlocks
against_xmllint "query, a rare element" 10 18 query '/TRACE/threadStart' --format count
echo "Two cores against one:"
two_cores "stats" stats
two_cores "path" path
if [ "$large" ]; then
	echo "1 GiB against 64 MiB, one core:"
	memory "stats" stats
else
	echo "1 GiB against 64 MiB: not measured (--large)"
fi
