# Caveau. `make run` plays, `make test` tests; README.md says what each needs.

ADDR       ?= :8080
DB         ?= caveau.db
CHAOS      ?= 1m
STORM      ?= 10m
SHORT      ?= -short
STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
SOURCES    := $(shell find web/src web/public web/*.ts web/*.html web/*.js docs/rules docs/rulings.md -type f 2>/dev/null)
RULES      := go.mod $(shell find bot catalog ceremony cmd/wasm company env fact fair game games keepsake limit lobby match pocket record slots table terms wire -name '*.go' ! -name '*_test.go' 2>/dev/null)
LESSONS    := $(wildcard web/src/games/*/lessons/*.json)
# Asked anew by each target: ready-to-test may have installed it since make began.
CHROMIUM   ?= $(shell tools/need where chromium)
FIREFOX    ?= $(shell tools/need where firefox)
PYTHON     ?= $(shell tools/need where python)
export CHROMIUM FIREFOX

.PHONY: ready ready-to-test ready-to-test-all run cluster build release test test-all test-go raced short whole processes test-web test-python test-browser test-browser-all ear twice check vuln storm mutate load bench bench-nodes figures fuzz help clean

run: build ## play: serves on $(ADDR)
	bin/caveau serve --addr '$(ADDR)' --db '$(DB)'

cluster: build ## play at three nodes on this machine, with a PostgreSQL and a NATS of their own, behind a proxy on $(ADDR)
	@tools/need postgres
	go run ./tools/cluster -addr '$(ADDR)'

build: ready web/dist/engine.wasm ## bin/caveau, with the client in it
	go build -trimpath -o bin/caveau ./cmd/caveau

# What a release is called, and the time of its files: its tag's, or its commit's.
VERSION           ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

release: ready web/dist/engine.wasm ## bin/release: an archive for each kind of machine, and their sums
	go run ./tools/release -version '$(VERSION)' -at '$(SOURCE_DATE_EPOCH)' bin/release

test: ready-to-test test-go test-web test-python test-browser ## what every change has to pass, in about half an hour

# What knows no goroutine is not looked at for races, which would take it three times as long.
# What takes longest is begun first, or a processor has nothing to do at the end.
PURE := bot catalog ceremony company docs fact fair game games keepsake names progress rating record table terms tools/mutate tools/pebbles wire

test-go:
	@$(MAKE) -j2 raced short

raced: web/dist/index.html
	go test -race -short -shuffle=on -timeout 30m ./storm/nodes ./storm $$(go list ./... | grep -v -E "^caveau/($$(echo $(PURE) | tr ' ' '|')|secrets)(/|$$)")
	go test -race $(SHORT) -shuffle=on -timeout 30m ./secrets/...

short: web/dist/index.html
	go test -short -shuffle=on $(PURE:%=./%/...)
	go test -run 'TestStorm|TestStories|TestHabits|TestLooksAround' ./storm
	go test -short -run TestTwinSights ./secrets

# The same, and all that they leave out.
whole: web/dist/index.html
	go test -shuffle=on -timeout 60m ./storm/... $(PURE:%=./%/...)
	go test -run TestTwinSights ./secrets

test-web: web/node_modules/.package-lock.json web/frames/.written
	cd web && npm test

# With PettingZoo's own tests where CAVEAU_PETTINGZOO says where it is, or where it is installed; else it says that they were not run.
test-python: ready-to-test build
	CAVEAU_BIN='$(CURDIR)/bin/caveau' PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$(CURDIR)/python$${CAVEAU_PETTINGZOO:+:$$CAVEAU_PETTINGZOO}" \
		'$(PYTHON)' -m unittest discover -s python/tests

# Every frame of whole games, as the server writes them now: what the client's tests read.
web/frames/.written: $(RULES) catalog/frames_test.go $(LESSONS)
	@mkdir -p web/frames
	go test -count=1 -run TestFrames ./catalog -args -frames "$$PWD/web/frames"
	@touch $@

test-all: ready-to-test-all build ## and what takes longer: every seed, every leak, crashes for minutes, every page in every size, Firefox, WebKit, a screen reader
	@$(MAKE) -j2 raced whole SHORT=
	@$(MAKE) -j2 processes test-web test-python twice
	$(MAKE) test-browser test-browser-all

# Houses that are killed, stopped and left without room wait for much: something else is done meanwhile.
processes: web/dist/index.html
	go test -shuffle=on -timeout 60m ./cmd/caveau
	CAVEAU_CHAOS=$(CHAOS) go test -count=1 -run TestChaos -timeout 30m ./cmd/caveau

test-browser: ready-to-test build
	cd web && npm run e2e

# The rest of the browser tests, for `test-all`: set-up pages, rulebooks, deals that are checked, sizes, languages, Firefox, WebKit, Orca; and a
# game that is not shipped, on a page and in a house of their own.
test-browser-all: ready-to-test-all build bin/caveau-third
	go build -o bin/cluster ./tools/cluster
	cd web && npm run e2e:all && CAVEAU_BIN=$(CURDIR)/bin/caveau-third npm run e2e:third

ear: ready-to-test-all build ## a whole game by a screen reader alone, from the first page to its end: most of an hour
	cd web && npm run e2e:ear

bin/caveau-third: web/node_modules/.package-lock.json $(SOURCES) $(RULES)
	cd web && npm run build:third
	go build -trimpath -tags thirdgame -o $@ ./cmd/caveau
	cd web && npm run build
	touch $@

check: web/dist/index.html ## linters, import floors, who may write a position, types, translations
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'gofmt these'; exit 1; }
	@test -z "$$(find $$(git ls-files) -size +1000k 2>/dev/null)" || { find $$(git ls-files) -size +1000k; echo 'built files are not committed'; exit 1; }
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./cmd/wasm
	GOOS=windows go vet ./...
	GOOS=darwin go vet ./...
	$(STATICCHECK) ./...
	go test -run TestFloors -count=1 ./cmd/caveau
	go test -run 'TestNobodyWrites|Listed' -count=1 ./secrets
	cd web && npm run check

storm: ## a house in virtual time, in which all goes wrong, for so long: storm STORM=1h
	go test -count=1 -timeout 0 -run TestStorm -v ./storm -blow '$(STORM)'

twice: ready web/node_modules/.package-lock.json ## are two builds in two folders equal?
	tools/twice

vuln: web/dist/index.html ## is anything known to be wrong with what we build on? (asks the network)
	tools/vuln

mutate: ## does a script see every change of a rule? (one file: mutate FILE=bats.go)
	nice go run ./tools/mutate -file '$(FILE)'

load: build ## real games over real sockets, beside a bare server (docs/performance.md)
	bin/caveau load

bench: ready-to-test build ## the figures to watch, and how soon a table is there on a slow line
	go test -run '^$$' -bench . -skip 'Start|Resume|Idle|Thinkers|Houses' -benchmem ./...
	cd web && npm run bench

bench-nodes: ready-to-test web/dist/index.html ## what a move takes with a file, with PostgreSQL and at three nodes; and twenty nodes of which three are lost
	go test -run '^$$' -bench Houses -benchtime 1x ./cmd/caveau
	go test -count=1 -run TestTwenty -v ./storm/nodes -tables 10000

figures: ## and those of a large house: its start, its tables, its sockets (docs/performance.md)
	go test -run '^$$' -bench 'Start|Resume' -benchtime 5x ./cmd/caveau
	go test -run '^$$' -bench 'Idle|Thinkers' -benchtime 1x ./cmd/caveau

FUZZ := record/FuzzRead wire/FuzzReadCommand names/FuzzClean server/FuzzRequest server/FuzzCookie server/FuzzPasskey server/FuzzCommand bus/natsbus/FuzzLetter

fuzz: ## a minute of each fuzz test
	@set -e; for one in $(FUZZ); do go test -run '^$$' -fuzz "^$${one##*/}$$" -fuzztime 60s ./$${one%/*}; done

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/'

clean: ## forget what was built
	rm -rf bin web/node_modules web/dist/*

# Nothing begins before everything that it needs is there.
ready:
	@tools/need go node

ready-to-test:
	@tools/need go node chromium python postgres pgrep

ready-to-test-all:
	@tools/need go node chromium firefox webkit orca python postgres pgrep

web/node_modules/.package-lock.json: web/package.json web/package-lock.json | ready
	cd web && npm ci --no-audit --no-fund
	@touch $@

# The rules for the page that checks deals, and what Go needs to run them in a browser.
web/dist/engine.wasm: web/dist/index.html $(RULES)
	rm -f $@.br
	GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o $@ ./cmd/wasm
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" web/dist/engine.js
	echo "// engine $$(cksum < $@)" >> web/dist/sw.js # another engine is another build to whoever keeps one
	cd web && node tools/squeeze.js

web/dist/index.html: web/node_modules/.package-lock.json $(SOURCES)
	cd web && npm run build
