# SPDX-License-Identifier: Apache-2.0
# The commands people type. Each installs what it misses (tools/setup.sh), builds and runs.
JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=
CTEST_FLAGS ?=
# What tests must find here: tools/setup.sh installs PoCL. Elsewhere they say what they skip.
export HORNBEAM_TEST_BACKENDS ?= cpu,opencl
DEMO := output/merger
VIEW := --width 1000 --height 1000

# Looked at by the first configuration of a build folder only.
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)

.NOTPARALLEL:
.PHONY: build demo test test-all asan format lint bench wheel clean

# A new build folder holds what its first goal needs: the program alone for `build` and `demo`, for `demo` without the
# cuda backend on a machine without a GPU.
NEW := $(if $(wildcard build/CMakeCache.txt),,new)
PROGRAM := $(if $(NEW),-DHORNBEAM_TESTS=OFF)
CUDA := -DHORNBEAM_CUDA_NEEDS_GPU=OFF
demo: CUDA := $(if $(NEW),-DHORNBEAM_CUDA_NEEDS_GPU=ON)

build: setup-build
	cmake --preset release $(PROGRAM) $(CUDA) $(CMAKE_FLAGS)
	cmake --build --preset release -j $(JOBS) --target hornbeam

# Two disc galaxies collide: examples/README.md says what to look at.
demo: setup-demo build
	build/hornbeam run examples/merger.toml --overwrite
	.venv/bin/python3 examples/plot_energy.py $(DEMO)/energy.csv $(DEMO)/energy.png
	build/hornbeam render $(DEMO)/snapshot_0023.hdf5 -o $(DEMO)/tails.png $(VIEW)
	build/hornbeam movie $(DEMO) -o $(DEMO)/merger.mp4 $(VIEW)
	build/hornbeam analyze $(DEMO)/snapshot_0000.hdf5 $(DEMO)/snapshot_0024.hdf5 --energy
	@echo "Open $(DEMO)/tails.png (the tidal tails) and $(DEMO)/energy.png."

test: setup-test
	cmake --preset release -DHORNBEAM_TESTS=ON -DHORNBEAM_WITH_PYTHON=ON $(CUDA) $(CMAKE_FLAGS)
	cmake --build --preset release -j $(JOBS)
	ctest --preset release -j $(JOBS) -L fast $(CTEST_FLAGS)

# The long ones too: a galaxy to t = 10, a Plummer sphere over 20 time units, a million particles, plots of yt and pynbody,
# the live view in Chromium.
test-all: test setup-test-all
	ctest --preset release -L long $(CTEST_FLAGS)

# The fast tests under AddressSanitizer and UndefinedBehaviorSanitizer.
asan: setup-test
	cmake --preset asan $(CMAKE_FLAGS)
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS) $(CTEST_FLAGS)

format: setup-lint
	git ls-files -co --exclude-standard '*.cpp' '*.h' | xargs clang-format -i

lint: setup-lint
	git ls-files -co --exclude-standard '*.cpp' '*.h' | xargs clang-format --dry-run -Werror
	cmake --preset lint $(CMAKE_FLAGS)
	cmake --build --preset lint --target hornbeam_version
	git ls-files -co --exclude-standard 'src/*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy -p build-lint --quiet

bench: setup-bench
	cmake --preset release $(PROGRAM) $(CUDA) -DHORNBEAM_BENCH=ON $(CMAKE_FLAGS)
	cmake --build --preset release -j $(JOBS)
	bench/run

# A wheel in dist/ with the libraries that it needs, which runs where this machine's C library or a newer one is; it is
# tried in an environment of its own.
wheel: setup-wheel
	rm -rf dist
	.venv/bin/pip wheel . --no-deps -w dist/unrepaired -C build-dir=build-wheel
	PATH="$(CURDIR)/.venv/bin:$$PATH" .venv/bin/auditwheel repair dist/unrepaired/*.whl -w dist
	rm -rf dist/unrepaired
	.venv/bin/python3 -m venv --clear dist/venv
	dist/venv/bin/pip install --quiet --disable-pip-version-check dist/*.whl
	cd dist && OCL_ICD_VENDORS=/nowhere venv/bin/python3 -c "import hornbeam as hb; print(hb.info()); hb.selftest()"
	cd dist && venv/bin/hornbeam --version && venv/bin/python3 -m hornbeam --version
	rm -rf dist/venv

clean:
	rm -rf build build-debug build-asan build-strict build-lint build-wheel dist output

setup-%:
	@tools/setup.sh $*
