#!/bin/sh
# Measures what recording allocations costs the recorded program. README.md explains the output.
#
#   bench/allocations.sh [--rounds N] [JDK…]
#
# It runs bench/java/Allocating.java in each JDK. The default JDKs are those under /usr/lib/jvm. It needs Go, gcc and a
# JDK.
script=allocations.sh
rounds=21
. "$(dirname "$0")/jdks.sh"

agent/native/build.sh "$temporary/libtrcxagent.so"
go build -o "$temporary/compare" ./bench/compare
"$1/bin/javac" --release 17 -d "$temporary" bench/java/Allocating.java
options="-Xmx512m -XX:+UseSerialGC -cp $temporary"
recorded="-agentpath:$temporary/libtrcxagent.so=file=/dev/null,no-parks,no-io"

# pair NAME LIMIT THOUSANDS LENGTH COMPUTING: samples with 16 frames against the program alone, in turn; first in CPU time
# of the whole process, then in that of the thread that allocates, as the median with its 95 % interval.
pair() {
	# The options are separated by blanks.
	# shellcheck disable=SC2086
	"$temporary/compare" -cpu -rounds "$rounds" -name "$1" -most "$2" -- \
		"$java" $options Allocating "$3" "$4" "$5" -- \
		"$java" $options "$recorded,heap=sampled,stack-depth=16" Allocating "$3" "$4" "$5"
	for _ in $(seq "$rounds"); do
		# shellcheck disable=SC2086
		without=$("$java" $options Allocating "$3" "$4" "$5")
		# shellcheck disable=SC2086
		with=$("$java" $options "$recorded,heap=sampled,stack-depth=16" Allocating "$3" "$4" "$5")
		echo "$without $with"
	done | awk '{ print $2 / $1 }' | sort -n | awk -v name="$1, the thread" -v most="$2" '{ ratio[NR] = $1 }
		END {
			off = 0.98 * sqrt(NR)
			low = int((NR + 1) / 2 - off)
			if (low < 1) low = 1
			printf "%-34s  %.3f times (%.3f to %.3f)  want at most %s\n", name, ratio[int((NR + 1) / 2)], ratio[low],
				ratio[NR + 1 - low], most }'
}

# each NAME OPTIONS: the CPU time of an object when all are recorded, as the median of the rounds.
each() {
	for _ in $(seq "$rounds"); do
		# shellcheck disable=SC2086
		"$java" $options $2 Allocating 500 24 0
	done | sort -n | awk -v name="$1" '{ all[NR] = $1 }
		END { printf "%-34s  %5.0f ns for an object (%.0f to %.0f)\n", name, all[int((NR + 1) / 2)], all[1], all[NR] }'
}

for jdk in "$@"; do
	java=$jdk/bin/java
	echo "$("$java" -version 2>&1 | sed -n 1p), $rounds rounds:"
	pair "samples, 1 GB/s" 1.02 15000 240 150
	pair "samples, only allocations" 1.15 300000 240 0
	each "not recorded" ""
	each "all, without stacks" "$recorded,heap=full,stack-depth=0"
	each "all, 8 frames" "$recorded,heap=full"
done
