#!/bin/sh
# Measures the index of trcx serve, the frames of its page, and the opening of a report. README.md explains the output.
#
#   bench/serve.sh [--rounds N]
#
# It needs Chromium (make deps installs it).
# TRCX_BENCH_DIR names a folder in which the traces are kept and used again. Without it they are temporary.
script=serve.sh
own_traces=yes
. "$(dirname "$0")/prepare.sh"
(cd emit/page/browser && go build -o "$temporary/frames" ./frames)

generate waits-10m -size 800MiB -threads 10000 -waits
generate report-100k -size 34MiB
generate waits-1m -size 80MiB -threads 200 -waits
large_trace=$traces/waits-10m.trcxml
index=$large_trace.timeline
rm -f "$index"
server=
trap 'if [ "$server" ]; then kill "$server" 2>/dev/null; fi; rm -rf "$temporary" "$index"' EXIT

# peak NAME: prints the peak memory of the server so far.
peak() {
	kib=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$server/status" 2>/dev/null || true)
	if [ -z "$kib" ]; then
		echo "$1: unknown on this system"
		return
	fi
	verdict=MISSED
	[ "$kib" -le 262144 ] && verdict=reached
	echo "$1: $((kib / 1024)) MiB  want at most 256 MiB: $verdict"
}

# serve: starts the server, and waits until it has printed its address.
serve() {
	: >"$temporary/address"
	"$trcx" serve --quiet "$large_trace" >"$temporary/address" &
	server=$!
	while [ ! -s "$temporary/address" ]; do
		kill -0 "$server" 2>/dev/null || {
			echo "bench/$script: trcx serve has ended" >&2
			exit 1
		}
		sleep 0.2
	done
}

echo "10 million events of 10,000 threads:"
"$temporary/compare" -rounds "$rounds" -name "index, all cores" -want 0.5 -- \
	"$trcx" stats --quiet -o /dev/null "$large_trace" -- \
	"$trcx" serve --quiet --no-index --duration 1ms "$large_trace"
"$temporary/compare" -rounds "$rounds" -name "index, one core" -- \
	env GOMAXPROCS=1 "$trcx" stats --quiet -o /dev/null "$large_trace" -- \
	env GOMAXPROCS=1 "$trcx" serve --quiet --no-index --duration 1ms "$large_trace"
serve
peak "memory of the server, index made"
kill "$server"
wait "$server" || true
serve
"$temporary/frames" -name "trcx serve, index read" "$(cat "$temporary/address")"
peak "memory of the server, index read, page used"

echo "100,000 events:"
"$trcx" report --quiet "$traces/report-100k.trcxml" -o "$temporary/report.html"
"$temporary/frames" -name "trcx report" -first 1 "file://$temporary/report.html"

echo "a million events:"
"$trcx" report --quiet "$traces/waits-1m.trcxml" -o "$temporary/million.html"
"$temporary/frames" -name "trcx report" "file://$temporary/million.html"
