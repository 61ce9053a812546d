# What the measuring scripts begin with: flags, builds, and the traces that are made when they are missing. To be sourced, with
# $script set to the name of the script, and $own_traces to something if it generates its traces itself and has no need of xmllint.
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
	echo "bench/$script: xmllint is missing; it is what trcx is compared with. Install libxml2-utils (Debian), libxml2 (Fedora, Homebrew)." >&2
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

[ "${own_traces-}" ] && return
generate mixed-4m -size 4MiB
generate mixed -size 256MiB
generate hostile -size 256MiB -hostile
if [ "$large" ]; then
	generate mixed-64m -size 64MiB
	generate mixed-1g -size 1GiB
fi
