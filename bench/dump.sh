#!/bin/sh
# Measures for how long trcx dump stops the JVM, and jcmd GC.heap_dump. README.md explains the output.
#
#   bench/dump.sh [--rounds N] [JDK…]
#
# The times are those of the JVM's own log. The default JDKs are those under /usr/lib/jvm. It needs Go and a JDK, and
# writes 200 MB of temporary files.
script=dump.sh
rounds=15
. "$(dirname "$0")/jdks.sh"

program=
trap '[ -z "$program" ] || kill "$program"; rm -rf "$temporary"' EXIT

CGO_ENABLED=0 go build -o "$temporary/trcx" ./cmd/trcx
"$1/bin/javac" --release 17 -d "$temporary" bench/java/Filled.java
log=$temporary/safepoints dump=$temporary/dump.hprof

# stopped COMMAND…: for how many milliseconds the JVM stopped meanwhile.
stopped() {
	begin=$(wc -l <"$log")
	rm -f "$dump"
	"$@" >/dev/null 2>&1
	sleep 0.2 # the JVM has written its log
	tail -n "+$((begin + 1))" "$log" | sed -n 's/.*Total: \([0-9]*\) ns.*/\1/p' |
		awk '{ sum += $1 } END { print sum / 1e6 }'
}

for jdk in "$@"; do
	"$jdk/bin/java" -Xmx1g "-Xlog:safepoint:file=$log" -cp "$temporary" Filled >"$temporary/ready" &
	program=$!
	until [ -s "$temporary/ready" ]; do sleep 0.1; done
	for round in $(seq 0 "$rounds"); do
		theirs=$(stopped "$jdk/bin/jcmd" "$program" GC.heap_dump "$dump")
		ours=$(stopped "$temporary/trcx" dump -o "$dump" "$program")
		[ "$round" -eq 0 ] || echo "$theirs $ours"
	done >"$temporary/times"
	kill "$program"
	wait "$program" || true
	program=
	rm "$temporary/ready"
	awk '{ print $2 / $1, $1, $2 }' "$temporary/times" | sort -n | awk -v jdk="$jdk" '
		{ ratio[NR] = $1; theirs += $2; ours += $3 }
		END { printf "%s: jcmd %.0f ms, trcx dump %.0f ms; median %.2f times as long (%.2f to %.2f), %d rounds\n", jdk,
			theirs / NR, ours / NR, ratio[int((NR + 1) / 2)], ratio[1], ratio[NR], NR }'
done
