# The two commands of the README are `make demo` and `make test`; each sets up what is missing.
# Cargo decides what to rebuild and setup.sh what to fetch, so every target here is phony.

CARGO ?= cargo
PREFIX ?= /usr/local
DESTDIR ?=
# Passed to cargo test, for example TEST_FLAGS=--no-fail-fast.
TEST_FLAGS ?=

THETIS := target/release/thetis
INSTALL_ROOT := $(DESTDIR)$(PREFIX)
MAN_DIR := $(INSTALL_ROOT)/share/man/man1
BASH_COMPLETIONS := $(INSTALL_ROOT)/share/bash-completion/completions
ZSH_COMPLETIONS := $(INSTALL_ROOT)/share/zsh/site-functions
FISH_COMPLETIONS := $(INSTALL_ROOT)/share/fish/vendor_completions.d

.PHONY: help setup solvers build demo test bench lint ci install uninstall clean distclean

help:
	@echo "make demo      set up, build, and check a C program, its fix, and a net"
	@echo "make test      set up every solver and run all tests"
	@echo "make install   install the program, its solver, manual and completions (PREFIX=$(PREFIX))"
	@echo "make uninstall remove what make install has put there"
	@echo "make bench     run the benchmarks"
	@echo "make lint      check format, clippy and tidy"
	@echo "make ci        lint and test, as before a change lands"
	@echo "make solvers   fetch Z3 and Bitwuzla; make setup fetches Z3 only"
	@echo "make clean     remove what was built; make distclean removes the solvers as well"

setup:
	@./setup.sh

solvers:
	@./setup.sh --all

build: setup
	$(CARGO) build --release --package thetis

# An unsafe model is an answer, not a failure: `thetis check` then exits with 10.
demo: build
	$(THETIS) check examples/thermostat.c || [ $$? -eq 10 ]
	$(THETIS) check examples/thermostat-fixed.c
	$(THETIS) check examples/warehouse.net || [ $$? -eq 10 ]

test: solvers
	$(CARGO) test --workspace $(TEST_FLAGS)

bench: setup
	$(CARGO) bench --workspace

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) xtask tidy

ci: solvers
	$(CARGO) xtask ci

# The program looks for its solver in ../lib/thetis, so PREFIX may be moved afterwards.
install: build
	install -d $(INSTALL_ROOT)/bin $(INSTALL_ROOT)/lib/thetis $(MAN_DIR)
	install -d $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS)
	install -m 755 $(THETIS) $(INSTALL_ROOT)/bin/thetis
	install -m 644 third_party/z3/lib/libz3.so.5.3 $(INSTALL_ROOT)/lib/thetis/libz3.so.5.3
	$(THETIS) generate man $(MAN_DIR)
	$(THETIS) generate completions bash >$(BASH_COMPLETIONS)/thetis
	$(THETIS) generate completions zsh >$(ZSH_COMPLETIONS)/_thetis
	$(THETIS) generate completions fish >$(FISH_COMPLETIONS)/thetis.fish

uninstall:
	rm -f $(INSTALL_ROOT)/bin/thetis $(MAN_DIR)/thetis.1 $(MAN_DIR)/thetis-*.1
	rm -f $(BASH_COMPLETIONS)/thetis $(ZSH_COMPLETIONS)/_thetis $(FISH_COMPLETIONS)/thetis.fish
	rm -rf $(INSTALL_ROOT)/lib/thetis

clean:
	$(CARGO) clean

distclean: clean
	rm -rf third_party
