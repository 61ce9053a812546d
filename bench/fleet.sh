#!/bin/sh
# Measures trcx-fleet on this machine against a loop of trcx stats --save over the same files. README.md explains the output.
#
#   bench/fleet.sh [--large] [--rounds N]
#
# --large also sums up 16 traces of 32 MiB, and 10,000 traces of 9 KB.
script=fleet.sh
own_traces=yes
. "$(dirname "$0")/prepare.sh"
(cd fleet && CGO_ENABLED=0 go build -o "$temporary/trcx-fleet" ./cmd/trcx-fleet) # as make fleet builds it
export TRCX="$trcx" FLEET="$temporary/trcx-fleet" OUT="$temporary/out"
cores=$(getconf _NPROCESSORS_ONLN)

# loop FOLDER and fleet FOLDER are commands that sum up the traces of a folder.
loop() { echo 'for trace in "$0"/*; do "$TRCX" stats --quiet "$trace" --save "$OUT.saved" -o /dev/null; done'; }
fleet() { echo '"$FLEET" run --quiet "$0/*" -o "$OUT"'; }

# many FOLDER COUNT SIZE: a folder of traces, of at most 100 different seeds.
many() {
	mkdir -p "$temporary/$1"
	i=0
	while [ $i -lt "$2" ]; do
		of=$temporary/$1/trace-$((i % 100))
		if [ $i -lt 100 ]; then
			"$temporary/tracegen" -size "$3" -seed $i -o "$of"
		else
			ln "$of" "$temporary/$1/trace-$i"
		fi
		i=$((i + 1))
	done
	rm -f "$temporary/$1/trace.dtd"
}

many few 16 4MiB
many one 1 9KiB
pair() { "$temporary/compare" -rounds "$rounds" "$@"; }
pair -cpu -most 1.25 -name "16 traces of 4 MiB, CPU" -- sh -c "$(loop)" "$temporary/few" -- sh -c "$(fleet)" "$temporary/few"
pair -most "$(echo "scale=3; 1 / (0.8 * $cores)" | bc)" -name "16 traces of 4 MiB, $cores cores" -- \
	sh -c "$(loop)" "$temporary/few" -- sh -c "$(fleet)" "$temporary/few"
pair -memory -limit $((100 + 64 * cores)) -name "16 traces of 4 MiB" -- \
	sh -c "$(loop)" "$temporary/few" -- sh -c "$(fleet)" "$temporary/few"
pair -name "a small trace (wanted: 0.1 s)" -- sh -c "$(loop)" "$temporary/one" -- sh -c "$(fleet)" "$temporary/one"
if [ "$large" ]; then
	many big 16 32MiB
	pair -rounds 7 -cpu -name "16 traces of 32 MiB, CPU" -- sh -c "$(loop)" "$temporary/big" -- sh -c "$(fleet)" "$temporary/big"
	pair -rounds 7 -name "16 traces of 32 MiB" -- sh -c "$(loop)" "$temporary/big" -- sh -c "$(fleet)" "$temporary/big"
	pair -rounds 1 -memory -limit $((100 + 64 * cores)) -name "16 traces of 32 MiB" -- \
		sh -c "$(loop)" "$temporary/big" -- sh -c "$(fleet)" "$temporary/big"
	many thousands 10000 9KiB
	pair -rounds 1 -cpu -name "10,000 traces of 9 KB (wanted: 20 s)" -- sh -c "$(loop)" "$temporary/one" -- \
		sh -c "$(fleet)" "$temporary/thousands"
	pair -rounds 1 -memory -limit 200 -name "10,000 traces of 9 KB" -- sh -c "$(loop)" "$temporary/one" -- \
		sh -c "$(fleet)" "$temporary/thousands"
fi
