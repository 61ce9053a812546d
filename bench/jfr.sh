#!/bin/sh
# Measures the speed of trcx convert with JDK Flight Recorder files, against jfr print --json, and of trcx stats against
# jfr view contention-by-site (since JDK 21). README.md explains the output.
#
#   bench/jfr.sh [--rounds N]
#
# It needs a JDK of version 17 or later, in JAVA_HOME or on the PATH. Stack traces are short, as they slow jfr down.
script=jfr.sh
own_traces=yes
. "$(dirname "$0")/prepare.sh"

bin=${JAVA_HOME:+$JAVA_HOME/bin/}
command -v "${bin}jfr" >/dev/null || {
	echo "bench/$script: no JDK is in JAVA_HOME or on the PATH" >&2
	exit 1
}
"${bin}javac" -d "$temporary" bench/java/Recorded.java
recording=$temporary/recorded.jfr
"${bin}java" -XX:StartFlightRecording:filename="$recording",settings=convert/jfr/testdata/threads.jfc \
	-cp "$temporary" Recorded 2 >/dev/null
for format in jsonl trcxml; do
	"$temporary/compare" -rounds "$rounds" -name "jfr --to $format" -want 5 -- \
		"${bin}jfr" print --json "$recording" -- \
		"$trcx" convert --quiet --to "$format" "$recording" -o "$temporary/out.$format"
done
"$temporary/compare" -rounds "$rounds" -name "jfr, stats" -want 1 -- \
	"${bin}jfr" view contention-by-site "$recording" -- \
	"$trcx" stats --quiet "$recording" -o "$temporary/out.txt"
