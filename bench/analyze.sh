#!/bin/sh
# Measures the speed and memory of the analyses of traces. README.md explains the output.
#
#   bench/analyze.sh [--large] [--rounds N]
#
# --large also generates a trace of 1 GiB and compares the peak memory at 64 MiB and 1 GiB.
# TRCX_BENCH_DIR names a folder in which the traces are kept and used again. Without it they are temporary.
script=analyze.sh
. "$(dirname "$0")/prepare.sh"

generate calls -size 256MiB -calls

echo "Against xmllint --stream --valid --noout, one core:"
against_xmllint "stats" 10 18 mixed stats --quiet -o /dev/null
against_xmllint "path" 10 18 mixed path --quiet -o /dev/null
against_xmllint "blame" 8 14 mixed blame --quiet -o /dev/null
against_xmllint "stats, calls" 10 18 calls stats --quiet -o /dev/null
against_xmllint "path, calls" 10 18 calls path --quiet -o /dev/null
against_xmllint "blame, calls" 10 18 calls blame --quiet -o /dev/null
for command in stats path blame; do
	against_xmllint "$command, hostile" 6 8 hostile $command --quiet -o /dev/null
	against_xmllint "$command, 4 MiB" 6 10 mixed-4m $command --quiet -o /dev/null
done
against_xmllint "deadlocks" 5 10 mixed deadlocks --quiet -o /dev/null
against_xmllint "query, a rare element" 10 18 mixed query '/TRACE/threadStart' --format count --quiet -o /dev/null
echo "Against trcx stats, one core, CPU time:"
"$temporary/compare" -cpu -most 1.5 -rounds "$rounds" -name "methods, calls" -- \
	env GOMAXPROCS=1 "$trcx" stats --quiet -o /dev/null "$traces/calls.trcxml" -- \
	env GOMAXPROCS=1 "$trcx" methods --quiet -o /dev/null "$traces/calls.trcxml"
echo "Two cores against one:"
two_cores "stats" 1.8 1.9 stats --quiet -o /dev/null
two_cores "path" 1.5 1.8 path --quiet -o /dev/null
two_cores "blame" 1.5 1.8 blame --quiet -o /dev/null
two_cores "stats of two inputs" 1.8 1.9 stats --quiet -o /dev/null "$traces/mixed.trcxml"
if [ "$large" ]; then
	echo "1 GiB against 64 MiB, one core:"
	memory "stats" 64 stats --quiet -o /dev/null
	generate calls-64m -size 64MiB -calls
	generate calls-1g -size 1GiB -calls
	"$temporary/compare" -memory -limit 64 -rounds 1 -name "methods, calls" -- \
		env GOMAXPROCS=1 "$trcx" methods --quiet -o /dev/null "$traces/calls-64m.trcxml" -- \
		env GOMAXPROCS=1 "$trcx" methods --quiet -o /dev/null "$traces/calls-1g.trcxml"
else
	echo "1 GiB against 64 MiB: not measured (--large)"
fi
