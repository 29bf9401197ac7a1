# make        build the program at build/lithe
# make demo   set up, build, and move the default robot
# make test   set up, build twice (release, sanitizers), fuzz shortly, run every test
# make release-check  everything: make test, lint with the static analyzer, verification, experiments, bench, packages
# make verify published truth: prints a table, writes docs/verification.md and docs/plots
# make experiments  the papers' experiments: prints a table and writes docs/experiments.md; build/tests/experiments --update a does one anew
# make bench  timings: writes bench/RESULTS.md, compares ratios with those kept
# make page   check and bundle the view's page into viewer/dist/page.html, after a change in viewer/
# make install, make uninstall   to PREFIX (/usr/local), below DESTDIR if that is set
# make package  Debian packages in build-package/
PREFIX ?= /usr/local
# the system's, which has the packages that scripts/setup installs
PYTHON := $(firstword $(wildcard /usr/bin/python3) python3)
export DESTDIR
.PHONY: all setup setup-test page build sanitize fuzz demo test release-check verify experiments bench install uninstall package lint format clean

all: build

setup:
	@scripts/setup

build: setup
	@cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release > build.log 2>&1 || { cat build.log; exit 1; }
	@cmake --build build

sanitize: build
	@cmake -S . -B build-sanitize -G Ninja -DCMAKE_BUILD_TYPE=Debug -DLITHE_SANITIZE=ON > build.log 2>&1 || { cat build.log; exit 1; }
	@cmake --build build-sanitize

fuzz: build
	@CC=clang cmake -S . -B build-fuzz -G Ninja -DCMAKE_BUILD_TYPE=Debug -DLITHE_FUZZ=ON > build.log 2>&1 || { cat build.log; exit 1; }
	@cmake --build build-fuzz

demo: build
	@scripts/demo

setup-test:
	@scripts/setup test

page: setup-test
	@cd viewer && npm run --silent check && npm run --silent build

# More tests at a time than there are cores: some wait, for a browser or a signal.
test: setup-test build sanitize fuzz
	@(cd viewer && npm run --silent check) & page=$$!; scripts/lint --quick && wait $$page
	LITHE_BROWSER=required ctest --test-dir build --output-on-failure -j4
	ctest --test-dir build-sanitize --output-on-failure -j3
	scripts/fuzz 4

# What a release must pass, in one command; hours. Pages and plots are written anew on the way.
release-check:
	$(MAKE) test
	$(MAKE) lint
	$(MAKE) verify
	$(MAKE) experiments
	$(MAKE) bench
	$(MAKE) package
	scripts/test_package

verify: build
	build/tests/verify
	LITHE=build/lithe LITHE_ROOT=. LITHE_BUILD=build LITHE_THOROUGH=1 $(PYTHON) tests/app/test_overlap.py

experiments: build
	build/tests/experiments

bench: build
	scripts/bench

install: build
	@cmake --install build --prefix '$(PREFIX)'

uninstall:
	@cmake -DBUILD='$(CURDIR)/build' -P packaging/uninstall.cmake

package: setup
	@scripts/setup package
	@cmake -S . -B build-package -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DLITHE_CHECKS=OFF \
	    > build.log 2>&1 || { cat build.log; exit 1; }
	@cmake --build build-package
	@cd build-package && rm -f ./*.deb && env -u DESTDIR cpack > package.log 2>&1 || { cat package.log; exit 1; }
	@ls build-package/*.deb

lint: build
	scripts/lint

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build build-* build.log
