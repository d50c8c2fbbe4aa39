# hr-raw: `make demo` shows it, `make test` proves it. `make` alone lists the rest.

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
SEEDS ?= 20000
SEED ?=

# Finds the toolchain also where PATH does not name it, as under sudo.
with_swift := Scripts/with-swift
swift_files := Package.swift Sources Tests $(wildcard Benchmarks Fuzz)

.DEFAULT_GOAL := help
.PHONY: help demo test check install uninstall bench fuzz simulate mutate vm-test radio-check docs format lint setup

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-12s %s\n", $$1, $$2 }'

demo: ## set up, build, and run on the built-in simulator: scan, connect, heartbeats; then replay a capture
	@Scripts/demo

test: ## set up and run the whole test suite; CI=true turns a skipped test into a failure
	@Scripts/test

check: ## the tests, then longer ones: more seeds, more kills, sanitizers, a while of fuzzing
	@Scripts/test lint scripts kernel
	@Scripts/check

install: ## build for use, put hr-raw into PREFIX (/usr/local) and give it the right to open adapters
	@Scripts/setup install
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install

uninstall: ## remove what install put into PREFIX
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install --remove

bench: ## measure speed and memory against a loop in C, btmon and tshark; fails where a ratio is missed
	@Scripts/setup bench
	@Scripts/bench

fuzz: setup ## feed random input to every decoder, FUZZ_SECONDS (60) each
	@FUZZ_SECONDS='$(FUZZ_SECONDS)' Scripts/fuzz

simulate: setup ## the whole host under faults, SEEDS (20000) trials on virtual time; SEED=N shows one
	@SEEDS='$(SEEDS)' SEED='$(SEED)' Scripts/simulate

mutate: setup ## disable each guard on the list, and show that a trial or a test fails
	@Scripts/mutate

vm-test: ## the tests that need a Linux kernel with Bluetooth, in an emulated machine
	@Scripts/test kernel

radio-check: setup ## a guided run with a real adapter and strap; writes a report without private data
	@Scripts/radio-check

docs: setup ## the API's documentation as DocC archives in .build/docs
	@Scripts/docs

format: ## lay out the Swift sources
	@$(with_swift) swift format format --in-place --recursive --parallel $(swift_files)

lint: ## check the layout of the Swift sources
	@$(with_swift) swift format lint --strict --recursive --parallel $(swift_files)

setup: # what building needs; nothing is fetched where nothing is missing
	@Scripts/setup
