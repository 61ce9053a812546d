#!/bin/sh
# Measures the cost of recording for the recorded program. README.md explains the output.
#
#   bench/record.sh [--rounds N] [JDK…]
#
# It runs the programs in bench/java in each JDK, in pairs: without and with the agent. The default JDKs are those under
# /usr/lib/jvm. It needs Go, gcc and a JDK.
script=record.sh
rounds=30
. "$(dirname "$0")/jdks.sh"

agent/native/build.sh "$temporary/libtrcxagent.so"
go build -o "$temporary/compare" ./bench/compare
"$1/bin/javac" --release 17 -d "$temporary" bench/java/*.java

# JFR with all its events of monitors, sleeps, and starts and ends of threads.
cat >"$temporary/monitors.jfc" <<'JFC'
<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="jdk.JavaMonitorEnter">
    <setting name="enabled">true</setting><setting name="threshold">0 ns</setting>
  </event>
  <event name="jdk.JavaMonitorWait">
    <setting name="enabled">true</setting><setting name="threshold">0 ns</setting>
  </event>
  <event name="jdk.ThreadSleep">
    <setting name="enabled">true</setting><setting name="threshold">0 ns</setting>
  </event>
  <event name="jdk.ThreadStart"><setting name="enabled">true</setting></event>
  <event name="jdk.ThreadEnd"><setting name="enabled">true</setting></event>
</configuration>
JFC

# JFR with parks only.
cat >"$temporary/parks.jfc" <<'JFC'
<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="jdk.ThreadPark">
    <setting name="enabled">true</setting><setting name="threshold">0 ns</setting>
  </event>
</configuration>
JFC

# pair NAME LIMIT PROGRAM OPTIONS [ARGUMENT]: the program with the agent's options against the program alone.
pair() {
	"$temporary/compare" -rounds "$rounds" -name "$1" $2 -- \
		"$java" -Xmx512m -cp "$temporary" "$3" ${5:-} -- \
		"$java" -Xmx512m "-agentpath:$temporary/libtrcxagent.so=file=$temporary/trace.trcxml$4" \
			-cp "$temporary" "$3" ${5:-}
}

for jdk in "$@"; do
	java=$jdk/bin/java
	echo "$("$java" -version 2>&1 | sed -n 1p), $rounds rounds:"
	pair "hello" "-added 5ms" Hello ""
	pair "hello, without parks" "-added 5ms" Hello ",no-parks"
	pair "contended, everything" "-most 1.2" Contended ""
	"$temporary/compare" -rounds "$rounds" -name "contended, stacks against none" -most 1.05 -- \
		"$java" -Xmx512m "-agentpath:$temporary/libtrcxagent.so=file=$temporary/trace.trcxml,stack-depth=0" \
			-cp "$temporary" Contended -- \
		"$java" -Xmx512m "-agentpath:$temporary/libtrcxagent.so=file=$temporary/trace.trcxml" -cp "$temporary" Contended
	pair "contended, plain" "-most 1.1" Contended ",no-contanalysis,no-owner"
	pair "uncontended" "-most 1.02" Uncontended ""
	pair "ping-pong, everything" "-most 2" PingPong ""
	"$temporary/compare" -rounds "$rounds" -name "contended, everything against JFR" -most 1 -- \
		"$java" -Xmx512m "-XX:StartFlightRecording:settings=$temporary/monitors.jfc,filename=$temporary/trace.jfr" \
			-Xlog:jfr+startup=off -cp "$temporary" Contended -- \
		"$java" -Xmx512m "-agentpath:$temporary/libtrcxagent.so=file=$temporary/trace.trcxml" \
			-cp "$temporary" Contended
	pair "parks" "-most 1.1" Parks "" platform
	pair "parks, without stacks" "-most 1.1" Parks ",stack-depth=0" platform
	pair "parks, not recorded" "-most 1.02" Parks ",no-parks" platform
	"$temporary/compare" -rounds "$rounds" -name "parks against JFR" -most 1 -- \
		"$java" -Xmx512m "-XX:StartFlightRecording:settings=$temporary/parks.jfc,filename=$temporary/trace.jfr" \
			-Xlog:jfr+startup=off -cp "$temporary" Parks platform -- \
		"$java" -Xmx512m "-agentpath:$temporary/libtrcxagent.so=file=$temporary/trace.trcxml" \
			-cp "$temporary" Parks platform
	! "$java" -cp "$temporary" Parks virtual >/dev/null 2>&1 ||
		pair "parks of virtual threads" "-most 2" Parks "" virtual
	pair "uncontended ReentrantLock" "-most 1.02" Parks "" lock
done
