# SPDX-License-Identifier: Apache-2.0
#
# The names people type. What a name does stands in scripts/; nothing here decides anything.

PREFIX ?= /usr/local
DESTDIR ?=
export PREFIX DESTDIR

.DEFAULT_GOAL := help
.PHONY: help build release deb lint check test test-system demo install clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s  %s\n", $$1, $$2 }' Makefile

build: ## debug build, warnings are errors
	@scripts/build debug

release: ## optimised binaries that carry the Swift library in them
	@scripts/install-missing build
	@scripts/build release

deb: ## the Debian packages, .build/consentd*.deb; the machine they go to needs no Swift
	@scripts/deb

lint: ## format, sizes, forbidden words, licence lines, shell scripts
	@scripts/lint

check: ## lint, build and every test that needs no root, no network, no installing
	@scripts/check

test: ## everything: installs what is missing, then lint, check, peers, real users, a booted systemd
	@scripts/test

test-system: ## only what boots a Debian with the package in it (root and systemd-nspawn)
	@scripts/test-system

demo: ## the whole story in a sandbox of its own, with every command shown
	@scripts/install-missing build
	@scripts/build debug
	@scripts/demo .build/debug

install: ## copy what `make release` built below DESTDIR and PREFIX (/usr/local)
	@scripts/install .build/release

clean: ## remove what was built; what was fetched stays in .cache
	@rm -rf .build .build-asan
