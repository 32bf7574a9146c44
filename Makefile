# Caveau. `make run` plays, `make test` tests; README.md says what each needs.

ADDR       ?= :8080
DB         ?= caveau.db
STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
SOURCES    := $(shell find web/src web/public web/*.ts web/*.html web/*.js docs/rules docs/rulings.md -type f 2>/dev/null)
RULES      := go.mod $(shell find bot catalog cmd/wasm fair game games match record -name '*.go' ! -name '*_test.go' 2>/dev/null)
CHROMIUM   ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
export CHROMIUM

.PHONY: ready ready-to-test run build test test-go test-web test-browser test-browser-all check mutate bench fuzz help clean

run: build ## play: serves on $(ADDR)
	bin/caveau serve --addr '$(ADDR)' --db '$(DB)'

build: ready web/dist/engine.wasm ## bin/caveau, with the client in it
	go build -o bin/caveau ./cmd/caveau

test: ready-to-test test-go test-web test-browser ## everything that takes less than ten minutes

test-go: web/dist/index.html
	go test -race -shuffle=on $$(go list ./... | grep -v -e caveau/games -e caveau/catalog -e caveau/secrets)
	go test -shuffle=on ./games/... ./catalog/... ./secrets

test-web: web/node_modules/.package-lock.json
	@mkdir -p web/frames
	go test ./catalog -run TestFrames -count=1 -args -frames $(CURDIR)/web/frames
	cd web && npm test

test-browser: ready-to-test build
	cd web && npm run e2e

# The rest of the browser tests, for `test-all`: whole games of all rulebooks, sizes, languages; and a game that is not
# shipped, on a page and in a house of their own.
test-browser-all: ready-to-test build bin/caveau-third
	cd web && npm run e2e:all && CAVEAU_BIN=$(CURDIR)/bin/caveau-third npm run e2e:third

bin/caveau-third: web/node_modules/.package-lock.json $(SOURCES) $(RULES)
	cd web && npm run build:third
	go build -tags thirdgame -o $@ ./cmd/caveau
	cd web && npm run build
	touch $@

check: web/dist/index.html ## linters, import floors, who may write a position, types, translations
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'gofmt these'; exit 1; }
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./cmd/wasm
	$(STATICCHECK) ./...
	go test -run TestFloors -count=1 ./cmd/caveau
	go test -run 'TestNobodyWrites|Listed' -count=1 ./secrets
	cd web && npm run check

mutate: ## does a script see every change of a rule? (one file: mutate FILE=bats.go)
	nice go run ./tools/mutate -file '$(FILE)'

bench: ## the figures to watch
	go test -run '^$$' -bench . -benchmem ./...

fuzz: ## a minute of each fuzz test
	go test -run '^$$' -fuzz FuzzRead -fuzztime 60s ./record

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/'

clean: ## forget what was built
	rm -rf bin web/node_modules web/dist/*

# Nothing begins before everything that it needs is there.
ready:
	@tools/need go node

ready-to-test:
	@tools/need go node chromium

web/node_modules/.package-lock.json: web/package.json web/package-lock.json | ready
	cd web && npm ci --no-audit --no-fund
	@touch $@

# The rules for the page that checks deals, and what Go needs to run them in a browser.
web/dist/engine.wasm: web/dist/index.html $(RULES)
	GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o $@ ./cmd/wasm
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" web/dist/engine.js

web/dist/index.html: web/node_modules/.package-lock.json $(SOURCES)
	cd web && npm run build
