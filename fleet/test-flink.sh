#!/bin/sh
# Compares the files of trcx-fleet on a job server of Flink, or of another runner, with those on this machine.
#
#   fleet/test-flink.sh HOST:PORT [FLAGS OF BEAM…]
#
# The job server is one as `docker run --net=host apache/beam_flink1.19_job_server` starts it. Without further flags the
# workers are in the process of trcx-fleet, which the job server's machine must reach. What reads the files must reach
# this folder and the temporary one.
set -eu
if [ $# -eq 0 ]; then
	echo "SKIPPED: no job server; start one of Beam for Flink, and name its address: fleet/test-flink.sh localhost:8099"
	exit 0
fi
server=$1
shift
[ $# -gt 0 ] || set -- --environment_type=LOOPBACK
cd "$(dirname "$0")"
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 1' HUP INT TERM
CGO_ENABLED=0 go build -o "$temporary/trcx-fleet" ./cmd/trcx-fleet
traces=$(cd ../testdata/recorded && pwd)/*.trcxml
"$temporary/trcx-fleet" run --quiet "$traces" -o "$temporary/here" --shards 3
"$temporary/trcx-fleet" run --quiet "$traces" -o "$temporary/there" --shards 3 --timeout 10m -- \
	--runner=flink "--endpoint=$server" "$@"
rm "$temporary/here/run.json" "$temporary/there/run.json" # they have the arguments
diff -r "$temporary/here" "$temporary/there"
echo "equal files on $server and here"
