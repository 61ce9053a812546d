# The targets are listed by make help, from the comments behind them.
.DEFAULT_GOAL := all
.PHONY: all help deps trcx agent single fleet test packages browser fleettest race lint format fuzz bench release clean

all: trcx agent ## builds bin/trcx, and bin/libtrcxagent.so, the agent that records JVMs

help: ## lists the targets
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

deps: ## installs what the tests need in addition to Go, as root of a Debian; says what is missing elsewhere
	go run ./internal/testtool/deps

# The version that trcx reports. Without git, and without VERSION=…, it is the one that Go knows.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
LINK = -X main.linkedVersion=$(VERSION) -X main.linkedCommit=$(shell git rev-parse --short=12 HEAD 2>/dev/null)

# Without the documentation generator of urfave/cli, which is not used, trcx starts faster.
TAGS = urfave_cli_no_docs

trcx: ## builds bin/trcx alone; needs neither a C compiler nor a JDK
	CGO_ENABLED=0 go build -tags $(TAGS) -ldflags '$(LINK)' -o bin/trcx ./cmd/trcx

agent: ## builds bin/libtrcxagent.so alone; needs gcc and a JDK's headers
	agent/native/build.sh bin/libtrcxagent.so

single: ## builds bin/trcx with the agent in it
	agent/native/build.sh agent/launch/libtrcxagent.so
	CGO_ENABLED=0 go build -tags embedagent,$(TAGS) -ldflags '$(LINK)' -o bin/trcx ./cmd/trcx

fleet: ## builds bin/trcx-fleet alone, which sums up many traces
	cd fleet && CGO_ENABLED=0 go build -ldflags '-X main.linkedVersion=$(VERSION)' -o ../bin/trcx-fleet ./cmd/trcx-fleet

# Compilers and tests take a tenth less time if they collect garbage less often. Tests that measure memory do not.
test: export GOGC = 400
# Without tables for debuggers, compilers take a tenth to a sixth less.
test: export GOFLAGS := $(shell go env GOFLAGS) -gcflags=all=-dwarf=false
# What the modules share is built first: each of those that run beside each other would compile it.
test: deps ## runs all tests of all modules, after deps, and race, beside each other
	go build ./...
	@$(MAKE) --no-print-directory -j 3 packages browser fleettest race

packages: ## runs the tests of the main module, the longest first
	go test -timeout 1h -p $(PACKAGES) ./cmd/trcx ./agent/jvmtest ./...

# Packages that are tested at the same time. Some wait for JVMs most of the time, so there are more than processors.
PACKAGES = 4

# The tests of browser, fleettest and race are not vetted again: lint vets all modules, packages those of race, too.

browser: ## runs the tests of the page in a browser
	cd emit/page/browser && go test -vet=off -timeout 1h ./...

fleettest: ## runs the tests of trcx-fleet
	cd fleet && go test -vet=off -timeout 1h ./...

# The race detector makes tests several times slower. So it gets the short ones of packages that are all goroutines, and of
# those with a few goroutines the tests that start them.
GOROUTINES = ./agent/listen ./agent/output ./agent/record ./agent/ring ./emit/page/serve ./internal/admission
SOME_GOROUTINES = ./agent/drain ./analyze/contention ./analyze/timeline ./enrich ./convert/trcxml
THEIR_TESTS = ^Test(Programs|DeadThreads)|HeldBack|Impatience|Stalls|InParallel|Async|Chunk|Goroutines

# A process with the race detector would sleep for a second at its end.
WITH_RACES = GOMAXPROCS=4 GORACE=atexit_sleep_ms=10

race: ## runs the tests of goroutines, and a script of each command, under the race detector; needs gcc
	$(WITH_RACES) go test -vet=off -timeout 1h -race -short $(GOROUTINES)
	$(WITH_RACES) go test -vet=off -timeout 1h -race -short -run '$(THEIR_TESTS)' $(SOME_GOROUTINES)
	$(WITH_RACES) go test -vet=off -timeout 1h -race -run 'TestAnyCores|TestScriptOfEachCommand' ./cmd/trcx

# The linter is installed once for a user; its own cache makes further runs fast.
LINTER_VERSION := v2.15.0
LINTER_FOLDER := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/trcx-tools/$(LINTER_VERSION)
LINTER := $(LINTER_FOLDER)/golangci-lint

$(LINTER):
	GOFLAGS= GOBIN=$(LINTER_FOLDER) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINTER_VERSION)

lint: $(LINTER) ## checks the sources as .golangci.yml says, and the types of the page's scripts
	$(LINTER) run --allow-parallel-runners --timeout 20m ./...
	cd fleet && $(LINTER) run --allow-parallel-runners --timeout 20m ./...
	emit/page/browser/typecheck.sh

format: ## formats the sources as gofmt does
	gofmt -w $$(git ls-files '*.go')

TIME ?= 60s
fuzz: ## searches with each fuzz target for TIME (60s)
	@set -e; for package in $$(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u); do \
		for target in $$(git grep -ho '^func Fuzz[A-Za-z]*' -- "$$package/*_test.go" | cut -c6-); do \
			echo "go test ./$$package -run '^$$' -fuzz '^$$target$$' -fuzztime $(TIME)"; \
			go test "./$$package" -run '^$$' -fuzz "^$$target$$" -fuzztime $(TIME); \
		done; \
	done

bench: ## measures speed and memory by every script of bench/; takes an hour, on an idle machine
	@set -e; for script in analyze convert jfr record serve validate; do bench/$$script.sh; done

release: ## builds archives, agents, checksums and a bill of materials into bin/release
	rm -rf bin/release
	internal/release/release.sh bin/release $(VERSION)

clean: ## removes what was built, and what tests have kept
	rm -rf bin agent/launch/libtrcxagent.so
	rm -rf "$${XDG_CACHE_HOME:-$$HOME/.cache}/trcx-test"
