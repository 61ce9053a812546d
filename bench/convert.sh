#!/bin/sh
# Measures the speed and memory of trcx convert. README.md explains the output.
#
#   bench/convert.sh [--large] [--rounds N]
#
# --large also generates a trace of 1 GiB and compares the peak memory at 64 MiB and 1 GiB.
# TRCX_BENCH_DIR names a folder in which the traces are kept and used again. Without it they are temporary.
script=convert.sh
. "$(dirname "$0")/prepare.sh"

convert="convert --quiet -o /dev/null --to"

echo "Against xmllint --stream --valid --noout, one core:"
against_xmllint "convert --to jsonl" 8 0 mixed $convert jsonl
against_xmllint "convert --to trcxml" 8 0 mixed $convert trcxml
against_xmllint "convert --to jsonl, hostile" 2.8 0 hostile $convert jsonl
against_xmllint "convert --to trcxml, hostile" 2.8 0 hostile $convert trcxml
against_xmllint "convert --to jsonl, 4 MiB" 6 0 mixed-4m $convert jsonl
against_xmllint "convert --to trcxml, 4 MiB" 6 0 mixed-4m $convert trcxml
echo "Two cores against one:"
two_cores "convert --to jsonl" 1.0 1.5 $convert jsonl
two_cores "convert --to trcxml" 1.0 1.5 $convert trcxml
if [ "$large" ]; then
	echo "1 GiB against 64 MiB, one core:"
	memory "convert --to jsonl" 64 $convert jsonl
	memory "convert --to trcxml" 64 $convert trcxml
else
	echo "1 GiB against 64 MiB: not measured (--large)"
fi
