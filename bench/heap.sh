#!/bin/sh
# Measures trcx heap on heap dumps of 1.25 and 12.5 million objects, with four references each. README.md explains the
# output.
#
#   bench/heap.sh [--rounds N]
#
# It writes 800 MB of temporary files. TRCX_BENCH_DIR names a folder in which the dumps are kept and used again.
script=heap.sh
own_traces=yes
. "$(dirname "$0")/prepare.sh"
go build -o "$temporary/dumpgen" ./bench/dumpgen

for objects in 1250000 12500000; do
	[ -f "$traces/heap-$objects.hprof" ] || "$temporary/dumpgen" -objects $objects -o "$traces/heap-$objects.hprof"
done
small="$trcx heap $traces/heap-1250000.hprof"
large="$trcx heap $traces/heap-12500000.hprof"
answers="--dominators --retained-by-class --quiet -o /dev/null"

# The commands and their arguments are separated by blanks.
# shellcheck disable=SC2086
{
	"$temporary/compare" -rounds "$rounds" -name "10 times the objects, one core" -most 15 -- \
		env GOMAXPROCS=1 $small $answers -- env GOMAXPROCS=1 $large $answers
	"$temporary/compare" -memory -limit 1536 -within 1000 -rounds 1 -name "memory" -- \
		env GOMAXPROCS=1 $small $answers -- env GOMAXPROCS=1 $large $answers
}
