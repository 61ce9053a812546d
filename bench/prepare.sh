# The common part of the benchmark scripts: flags, builds, missing traces, and comparisons. A script sources it with
# $script set to its name, and $own_traces set if it generates its traces itself and does not need xmllint.
set -eu

usage() {
	echo "usage: bench/$script [--large] [--rounds N]" >&2
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

[ "${own_traces-}" ] || command -v xmllint >/dev/null || {
	echo "bench/$script: xmllint is missing: install libxml2-utils (Debian) or libxml2 (Fedora, Homebrew)" >&2
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
CGO_ENABLED=0 go build -tags urfave_cli_no_docs -o "$temporary/trcx" ./cmd/trcx # as make trcx builds it
go build -buildvcs=false -o "$temporary/tracegen" ./bench/tracegen
go build -o "$temporary/compare" ./bench/compare
trcx=$temporary/trcx

# generate NAME FLAGS…: writes a trace, unless an earlier run has left a complete one of the same generator.
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

# In the comparisons below, COMMAND… is a command of trcx; the trace is appended to it.

# against_xmllint NAME WANT GOAL TRACE COMMAND…: a GOAL of 0 is none.
against_xmllint() {
	name=$1 want=$2 goal=$3 trace=$traces/$4.trcxml
	shift 4
	"$temporary/compare" -rounds "$rounds" -name "$name" -want "$want" -goal "$goal" -- \
		xmllint --stream --valid --noout "$trace" -- \
		env GOMAXPROCS=1 "$trcx" "$@" "$trace"
}

# two_cores NAME WANT GOAL COMMAND…
two_cores() {
	name=$1 want=$2 goal=$3
	shift 3
	"$temporary/compare" -rounds "$rounds" -name "$name" -want "$want" -goal "$goal" -- \
		"$trcx" "$@" --jobs 1 "$traces/mixed.trcxml" -- \
		"$trcx" "$@" --jobs 2 "$traces/mixed.trcxml"
}

# memory NAME LIMIT COMMAND…: LIMIT is in MiB.
memory() {
	name=$1 limit=$2
	shift 2
	"$temporary/compare" -memory -limit "$limit" -within 10 -rounds 1 -name "$name" -- \
		env GOMAXPROCS=1 "$trcx" "$@" "$traces/mixed-64m.trcxml" -- \
		env GOMAXPROCS=1 "$trcx" "$@" "$traces/mixed-1g.trcxml"
}

[ "${own_traces-}" ] && return
generate mixed-4m -size 4MiB
generate mixed -size 256MiB
generate hostile -size 256MiB -hostile
if [ "$large" ]; then
	generate mixed-64m -size 64MiB
	generate mixed-1g -size 1GiB
fi
