# The common part of the benchmark scripts that run JVMs: flags, a temporary folder, and the JDKs, which become the
# script's arguments. A script sources it with $script set to its name, and $rounds to the usual number of rounds.
set -eu

while [ $# -gt 0 ]; do
	case $1 in
	--rounds)
		[ $# -ge 2 ] || { echo "bench/$script: --rounds needs a number" >&2; exit 2; }
		rounds=$2
		shift 2
		;;
	-*)
		echo "usage: bench/$script [--rounds N] [JDK…]" >&2
		exit 2
		;;
	*) break ;;
	esac
done

cd "$(dirname "$0")/.."
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM

if [ $# -eq 0 ]; then
	for jdk in /usr/lib/jvm/*; do
		[ -L "$jdk" ] || [ ! -x "$jdk/bin/javac" ] || set -- "$@" "$jdk"
	done
fi
[ $# -gt 0 ] || { echo "bench/$script: there is no JDK under /usr/lib/jvm; name one" >&2; exit 1; }

echo "building" >&2
