#!/bin/sh
# Measures how fast trcx converts traces. See README.md beside this file.
#
#   bench/convert.sh [--large] [--rounds N]
#
# --large also generates a trace of 1 GiB and compares the peak memory at 64 MiB and 1 GiB.
# TRCX_BENCH_DIR names a folder for the traces; they stay there and are used again. Without it they go to a temporary folder.
set -eu

usage() {
	echo "usage: bench/convert.sh [--large] [--rounds N]" >&2
	exit 2
}

rounds=5
large=
while [ $# -gt 0 ]; do
	case $1 in
	--large) large=yes ;;
	--rounds)
		[ $# -ge 2 ] || usage
		rounds=$2
		shift
		;;
	--rounds=*) rounds=${1#--rounds=} ;;
	*) usage ;;
	esac
	shift
done

command -v xmllint >/dev/null || {
	echo "bench/convert.sh: xmllint is missing; it is what trcx is compared with. Install libxml2-utils (Debian), libxml2 (Fedora, Homebrew)." >&2
	exit 1
}

cd "$(dirname "$0")/.."
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM
traces=${TRCX_BENCH_DIR:-$temporary/traces}
mkdir -p "$traces"
traces=$(cd "$traces" && pwd)

echo "building" >&2
CGO_ENABLED=0 go build -o "$temporary/trcx" ./cmd/trcx
go build -buildvcs=false -o "$temporary/tracegen" ./bench/tracegen
go build -o "$temporary/compare" ./bench/compare
trcx=$temporary/trcx

# generate NAME FLAGS…: a trace that an earlier run left, complete and of the same generator, is not written again.
generate() {
	file=$traces/$1.trcxml
	shift
	stamp="$(cksum <"$temporary/tracegen") $*"
	if [ -f "$file" ] && [ "$(cat "$file.stamp" 2>/dev/null)" = "$stamp" ]; then
		return
	fi
	echo "generating $file" >&2
	rm -f "$file.stamp"
	"$temporary/tracegen" -seed 1 "$@" -o "$file"
	echo "$stamp" >"$file.stamp"
}

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

generate mixed-4m -size 4MiB
generate mixed -size 256MiB
generate hostile -size 256MiB -hostile
if [ "$large" ]; then
	generate mixed-64m -size 64MiB
	generate mixed-1g -size 1GiB
fi

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
