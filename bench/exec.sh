#!/usr/bin/env bash
# Measures what recording calls of methods costs the recorded program. README.md explains the output.
#
#   bench/exec.sh [--rounds N] [JDK…]
#
# It has javac compile a part of the JDK's own sources, TRCX_BENCH_TREE (java/util), with all methods of javac recorded, where
# the JDK has these sources; and it runs bench/java/Calls.java and Hello.java in each JDK. The default JDKs are those under
# /usr/lib/jvm. It needs Go, gcc, unzip and a JDK.
script=exec.sh
rounds=9
. "$(dirname "$0")/jdks.sh"

agent/native/build.sh "$temporary/libtrcxagent.so"
go build -o "$temporary/compare" ./bench/compare
"$1/bin/javac" --release 17 -d "$temporary" bench/java/Calls.java bench/java/Hello.java
printf '%s\n' 'com.sun.tools.* * INCLUDE' '* * EXCLUDE' >"$temporary/javac.txt"
printf '%s\n' 'none.Such * INCLUDE' '* * EXCLUDE' >"$temporary/none.txt"
agent="-agentpath:$temporary/libtrcxagent.so=no-parks,no-io,file"

# The ways in which javac is run, with the agent's options.
ways=(none agent coverage counts aggregated aggregated-12 auto-tune sampled)
declare -A options=([agent]="" [coverage]=",exec=coverage" [counts]=",exec=counts" [aggregated]=",exec=aggregated,min-size=0"
	[aggregated-12]=",exec=aggregated" [auto-tune]=",exec=aggregated,min-size=0,auto-tune" [sampled]=",exec=sampled")

# compile WAY TRACE: compiles the sources in the file list once.
compile() {
	local with=()
	[ "$1" = none ] || with=("$agent=$2,filters=$temporary/javac.txt${options[$1]}")
	"$java" -Xms1g -Xmx1g -XX:+UseSerialGC "${with[@]}" -m jdk.compiler/com.sun.tools.javac.Main -nowarn -proc:none -implicit:none \
		-XDignore.symbol.file -d "$temporary/classes" --patch-module "java.base=$temporary/java.base" @"$temporary/list" \
		>/dev/null 2>"$temporary/errors" || { cat "$temporary/errors" >&2; exit 1; }
}

# median NAME WANTED: the median of the numbers on standard input, and its 95 % interval.
median() {
	sort -g | awk -v name="$1" -v most="$2" '{ all[NR] = $1 }
		END {
			off = 0.98 * sqrt(NR)
			low = int((NR + 1) / 2 - off)
			if (low < 1) low = 1
			bound = all[NR + 1 - low]
			verdict = most == "" ? "" : sprintf("  want at most %s: %s", most, bound <= most ? "reached" : "MISSED")
			printf "%-38s  %.3f (%.3f to %.3f)%s\n", name, all[int((NR + 1) / 2)], all[low], bound, verdict }'
}

# column WAY: its column in the file of CPU times, which has a line a round.
column() {
	local i
	for i in "${!ways[@]}"; do
		[ "${ways[i]}" != "$1" ] || echo $((i + 1))
	done
}

# ratio WAY LIMIT: its CPU time by that without the agent. added WAY LIMIT: what it adds, by what aggregated adds.
ratio() { awk -v a="$(column "$1")" '{ print $a / $1 }' "$temporary/times" | median "$1, times the CPU time" "$2"; }
added() {
	awk -v a="$(column "$1")" -v all="$(column aggregated)" '{ print ($a - $1) / ($all - $1) }' "$temporary/times" |
		median "$1, of what aggregated adds" "$2"
}

compilations() {
	local round way TIMEFORMAT='%U %S'
	: >"$temporary/times"
	rm -rf "$temporary/java.base" "$temporary/classes"
	unzip -q "$jdk/lib/src.zip" 'java.base/*' -d "$temporary"
	find "$temporary/java.base/${TRCX_BENCH_TREE:-java/util}" -name '*.java' >"$temporary/list"
	echo "javac compiles $(wc -l <"$temporary/list") files"
	for round in $(seq "$rounds"); do
		for way in "${ways[@]}"; do
			{ time compile "$way" /dev/null; } 2>&1 | awk '{ printf "%.3f ", $1 + $2 }'
		done >>"$temporary/times"
		echo >>"$temporary/times"
		echo "round $round: $(tail -1 "$temporary/times")" >&2
	done
	ratio agent ""
	ratio coverage 1.2
	ratio counts 1.4
	ratio aggregated 6
	ratio aggregated-12 ""
	added aggregated-12 0.65
	ratio auto-tune ""
	added auto-tune 0.4
	ratio sampled 1.02
	compile aggregated "$temporary/trace.trcxml"
	awk '/<agMethodEntry/ { nodes++; if (match($0, /numCalls="[0-9]+/)) calls += substr($0, RSTART + 10, RLENGTH - 10) }
		END { printf "%-38s  %d calls, %d nodes of at most 100 bytes: %.0f MB  want at most 100\n", "trees of calls", calls, nodes,
			nodes / 1e4 }' "$temporary/trace.trcxml"
}

# call NAME OPTIONS MOST CLOCKS: nanoseconds of a call in a loop, and of a reading of the clock, which is allowed CLOCKS times.
call() {
	local with=()
	[ -z "$2" ] || with=("$agent=/dev/null,min-size=0$2")
	for _ in $(seq "$rounds"); do
		with_call=$("$java" "${with[@]}" -cp "$temporary" Calls)
		without=$("$java" -cp "$temporary" Calls)
		echo "$with_call $without"
	done | awk -v clocks="$4" '{ print $1 - $3 - clocks * $4 }' | median "$1" "$3"
}

for jdk in "$@"; do
	java=$jdk/bin/java
	echo "$("$java" -version 2>&1 | sed -n 1p), $rounds rounds:"
	if [ -e "$jdk/lib/src.zip" ]; then
		compilations
	else
		echo "it has no sources (lib/src.zip), so javac is not measured"
	fi
	call "coverage, ns a call" ",exec=coverage" "" 0
	call "counts, ns a call" ",exec=counts" 4 0
	call "aggregated, ns without two clocks" ",exec=aggregated" 25 2
	call "full, ns without two clocks" ",exec=full" 25 2
	for kind in coverage counts aggregated full; do
		"$temporary/compare" -cpu -rounds $((2 * rounds)) -name "hello, no match, $kind" -added 5ms -- \
			"$java" "$agent=/dev/null" -cp "$temporary" Hello -- \
			"$java" "$agent=/dev/null,exec=$kind,filters=$temporary/none.txt" -cp "$temporary" Hello
	done
done
