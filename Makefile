# make          builds bin/trcx and bin/libtrcxagent.so, the agent that records JVMs
# make trcx     builds bin/trcx alone; needs neither a C compiler nor a JDK
# make agent    builds bin/libtrcxagent.so alone
# make single   builds bin/trcx with the agent in it
# make test     runs the tests
.PHONY: all trcx agent single test clean

all: trcx agent

trcx:
	CGO_ENABLED=0 go build -o bin/trcx ./cmd/trcx

agent:
	agent/native/build.sh bin/libtrcxagent.so

single:
	agent/native/build.sh agent/launch/libtrcxagent.so
	CGO_ENABLED=0 go build -tags embedagent -o bin/trcx ./cmd/trcx

test:
	go test ./...

clean:
	rm -rf bin agent/launch/libtrcxagent.so
