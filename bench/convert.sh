#!/bin/sh
# Measures how fast trcx converts traces. See README.md beside this file.
#
#   bench/convert.sh [--large] [--rounds N]
#
# --large also generates a trace of 1 GiB and compares the peak memory at 64 MiB and 1 GiB.
# TRCX_BENCH_DIR names a folder for the traces; they stay there and are used again. Without it they go to a temporary folder.
script=convert.sh
. "$(dirname "$0")/prepare.sh"

# against_xmllint NAME WANT TO TRACE
against_xmllint() {
	"$temporary/compare" -rounds "$rounds" -name "$1" -want "$2" -- \
		xmllint --stream --valid --noout "$traces/$4.trcxml" -- \
		env GOMAXPROCS=1 "$trcx" convert --quiet --to "$3" -o /dev/null "$traces/$4.trcxml"
}

# two_cores NAME TO
two_cores() {
	"$temporary/compare" -rounds "$rounds" -name "$1" -want 1.0 -goal 1.5 -- \
		env GOMAXPROCS=1 "$trcx" convert --quiet --to "$2" -o /dev/null "$traces/mixed.trcxml" -- \
		env GOMAXPROCS=2 "$trcx" convert --quiet --to "$2" -o /dev/null "$traces/mixed.trcxml"
}

# memory NAME TO
memory() {
	"$temporary/compare" -memory -limit 64 -within 10 -rounds 1 -name "$1" -- \
		env GOMAXPROCS=1 "$trcx" convert --quiet --to "$2" -o /dev/null "$traces/mixed-64m.trcxml" -- \
		env GOMAXPROCS=1 "$trcx" convert --quiet --to "$2" -o /dev/null "$traces/mixed-1g.trcxml"
}

echo "Against xmllint --stream --valid --noout, one core:"
against_xmllint "convert --to jsonl" 8 jsonl mixed
against_xmllint "convert --to trcxml" 8 trcxml mixed
against_xmllint "convert --to jsonl, hostile" 2.8 jsonl hostile
against_xmllint "convert --to trcxml, hostile" 2.8 trcxml hostile
against_xmllint "convert --to jsonl, 4 MiB" 6 jsonl mixed-4m
against_xmllint "convert --to trcxml, 4 MiB" 6 trcxml mixed-4m
echo "Two cores against one:"
two_cores "convert --to jsonl" jsonl
two_cores "convert --to trcxml" trcxml
if [ "$large" ]; then
	echo "1 GiB against 64 MiB, one core:"
	memory "convert --to jsonl" jsonl
	memory "convert --to trcxml" trcxml
else
	echo "1 GiB against 64 MiB: not measured (--large)"
fi
