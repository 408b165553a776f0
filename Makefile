.DEFAULT_GOAL := help
SIZES ?= 1000,10000,100000,1000000
PROGRAM_SIZES ?= 10000,100000,1000000

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## the program, as bin/plancheck
	go build -o bin/plancheck ./cmd/plancheck

test: ## all tests
	go test ./...

lint: ## gofmt and go vet
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...

race: ## all tests under the race detector, with fewer random programs
	go test -race -short ./...

fuzz: ## every fuzz target for ten seconds
	.ci/fuzz 10s

bench: ## check beside a hand-written verifier, and programs: time and peak memory of whole processes
	go run ./internal/bench/compare --sizes $(SIZES)
	$(MAKE) bench-program

bench-program: ## check programs of 10,000 to 1,000,000 commands: time, peak memory and how they grow
	go run ./internal/bench/program --sizes $(PROGRAM_SIZES)

bench-solve: ## partition beside clasp, packing, placement: values, bounds and times (PLANCHECK_DATA names the workloads)
	go run ./internal/bench/partition --clasp
	go run ./internal/bench/partition --median 5
	go run ./internal/bench/packing
	go run ./internal/bench/placement

golden: ## write the expected outputs of the tests anew
	go test ./internal/report ./internal/cli ./internal/importer ./internal/irtext ./facts ./internal/house -update

docs: ## write the generated pages in docs anew
	go run ./internal/docgen

.PHONY: help build test lint race fuzz bench bench-program bench-solve golden docs
