# make          builds bin/trcx and bin/libtrcxagent.so, the agent that records JVMs
# make trcx     builds bin/trcx alone; needs neither a C compiler nor a JDK
# make agent    builds bin/libtrcxagent.so alone
# make single   builds bin/trcx with the agent in it
# make test     runs the tests
# make fuzz     searches with each fuzz target for TIME (60s)
.PHONY: all trcx agent single test fuzz clean

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

TIME ?= 60s
fuzz:
	@set -e; for package in $$(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u); do \
		for target in $$(git grep -ho '^func Fuzz[A-Za-z]*' -- "$$package/*_test.go" | cut -c6-); do \
			echo "go test ./$$package -run '^$$' -fuzz '^$$target$$' -fuzztime $(TIME)"; \
			go test "./$$package" -run '^$$' -fuzz "^$$target$$" -fuzztime $(TIME); \
		done; \
	done

clean:
	rm -rf bin agent/launch/libtrcxagent.so
