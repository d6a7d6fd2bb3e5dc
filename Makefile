# SPDX-License-Identifier: Apache-2.0
# The commands people type. Each installs what it misses (tools/setup.sh), builds and runs.
JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=
CTEST_FLAGS ?=
SINCE ?= HEAD
# What tests must find here: tools/setup.sh installs PoCL. Elsewhere they say what they skip.
export HORNBEAM_TEST_BACKENDS ?= cpu,opencl
DEMO := output/merger
VIEW := --width 1000 --height 1000

# Looked at by the first configuration of a build folder only.
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)

.NOTPARALLEL:
.PHONY: build program demo docs test check test-all test-arm asan format lint bench wheel dist clean

# A new build folder holds what its first goal needs: the program alone for `build` and `demo`. `demo`, `docs`, tests leave
# the cuda backend out of a new folder on a machine without a GPU, unless CMAKE_FLAGS names HORNBEAM_CUDA_ARCHITECTURES, and
# the CPU's kernels that this machine's processor does not run.
NEW = $(shell test -f build/CMakeCache.txt || echo new)
PROGRAM = $(if $(NEW),-DHORNBEAM_TESTS=OFF)
HERE = $(if $(NEW),-DHORNBEAM_CUDA_NEEDS_GPU=ON -DHORNBEAM_RUNS_HERE=ON)
TESTED = -DHORNBEAM_TESTS=ON -DHORNBEAM_WITH_PYTHON=ON -DHORNBEAM_THIS_PROCESSOR=OFF $(HERE)
TESTS = tools/run_tests.py build -j $(JOBS) --started $(shell date +%s)

# `make build` compiles it wherever nvcc is: login nodes of clusters have no GPU
BUILT := -DHORNBEAM_CUDA_NEEDS_GPU=OFF -DHORNBEAM_THIS_PROCESSOR=OFF -DHORNBEAM_RUNS_HERE=OFF
build: setup-build program

program:
	cmake --preset release $(PROGRAM) $(BUILT) $(CMAKE_FLAGS)
	cmake --build --preset release -j $(JOBS) --target hornbeam

# Two disc galaxies collide: examples/README.md says what to look at. A new folder is compiled for this processor only, and
# matplotlib is installed meanwhile.
demo: setup-build
	@tools/setup.sh demo & setup=$$!; \
	$(MAKE) --no-print-directory program BUILT="$(HERE) $(if $(NEW),-DHORNBEAM_THIS_PROCESSOR=ON)"; built=$$?; \
	wait $$setup && exit $$built
	build/hornbeam run examples/merger.toml --overwrite
	.venv/bin/python3 examples/plot_energy.py $(DEMO)/energy.csv $(DEMO)/energy.png
	build/hornbeam render $(DEMO)/snapshot_0023.hdf5 -o $(DEMO)/tails.png $(VIEW)
	build/hornbeam movie $(DEMO) -o $(DEMO)/merger.mp4 $(VIEW)
	build/hornbeam analyze $(DEMO)/snapshot_0000.hdf5 $(DEMO)/snapshot_0024.hdf5 --energy
	@echo "Open $(DEMO)/tails.png (the tidal tails) and $(DEMO)/energy.png."

test: setup-test
	cmake --preset release $(TESTED) $(CMAKE_FLAGS)
	cmake --build --preset release -j $(JOBS)
	$(TESTS) --label fast --ctest "$(CTEST_FLAGS)"

# After an edit: builds what changed since the commit SINCE, runs the unit tests and those of the folders that changed.
check: setup-test
	cmake --preset release $(TESTED) $(CMAKE_FLAGS)
	tools/check.py --since $(SINCE) -j $(JOBS)

# The long ones too: a galaxy to t = 10, a Plummer sphere over 20 time units, a million particles, plots of yt and pynbody,
# the live view in Chromium.
test-all: test setup-test-all docs
	$(TESTS) --label long --ctest "$(CTEST_FLAGS)"

# For 64-bit ARM, with Debian's cross compiler: the unit tests and a run of each physics in qemu-user, compared with the
# program of this machine.
ARM_PACKAGES := libc6-dev libgomp1 libstdc++6 libhdf5-dev libpng-dev zlib1g-dev libfmt-dev libtomlplusplus-dev libcli11-dev \
  nlohmann-json3-dev libboost-dev opencl-c-headers
test-arm: BUILT = $(HERE)
test-arm: setup-test-arm program
	tools/debian_sysroot.sh $(HOME)/.cache/hornbeam-arm64 arm64 here $(ARM_PACKAGES)
	cmake --preset arm -DHORNBEAM_TESTS=ON $(CMAKE_FLAGS)
	cmake --build --preset arm -j $(JOBS) --target hornbeam test_unit
	ctest --preset arm -j $(JOBS) -L fast -R '^unit/' $(CTEST_FLAGS)
	.venv/bin/python3 -m pytest -q -p no:cacheprovider tests/arm

# The pages as a site, with the references made from the program, the Python package and the headers: build/site/index.html.
# A link that leads nowhere and a page that docs/README.md does not name fail.
docs: setup-docs
	cmake --preset release $(PROGRAM) $(HERE) -DHORNBEAM_WITH_PYTHON=ON $(CMAKE_FLAGS)
	cmake --build --preset release -j $(JOBS) --target hornbeam hornbeam_python
	PYTHONPATH=build/python .venv/bin/python3 -m sphinx -E -W --keep-going -q -b html -d build/site-doctrees -c docs/site . build/site
	@echo "Open build/site/index.html."

# The fast tests, those of Python among them, under AddressSanitizer and UndefinedBehaviorSanitizer: kernels that this
# machine's processor does not run would take ten minutes to compile, and find nothing.
asan: setup-test
	cmake --preset asan -DHORNBEAM_TESTS=ON -DHORNBEAM_WITH_PYTHON=ON -DHORNBEAM_RUNS_HERE=ON $(CMAKE_FLAGS)
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS) $(CTEST_FLAGS)

format: setup-lint
	git ls-files -co --exclude-standard '*.cpp' '*.h' | xargs clang-format -i

# clang 14 does not know the coroutines of src/view/http/http.cpp, http_absent.cpp is compiled only without Boost, and
# src/device/cuda only with CUDA.
lint: setup-lint
	git ls-files -co --exclude-standard '*.cpp' '*.h' | xargs clang-format --dry-run -Werror
	cmake --preset lint $(CMAKE_FLAGS)
	cmake --build --preset lint --target hornbeam_version
	git ls-files -co --exclude-standard 'src/*.cpp' ':!src/view/http*.cpp' ':!src/device/cuda/*' | xargs -P $(JOBS) -n 4 clang-tidy -p build-lint --quiet

bench: setup-bench
	cmake --preset release $(PROGRAM) $(BUILT) -DHORNBEAM_BENCH=ON $(CMAKE_FLAGS)
	cmake --build --preset release -j $(JOBS)
	bench/run

# Wheels in dist/ for the CPythons of this machine, with the libraries that they need, for machines whose C library is
# this one's or newer; each is tested where there is neither a compiler nor HDF5.
wheel: setup-wheel
	JOBS=$(JOBS) CMAKE_ARGS="$(CMAKE_FLAGS)" .venv/bin/python3 tools/wheels.py

# The sources of a release in dist/, without git: it is unpacked elsewhere, built and tested there.
dist: setup-dist
	JOBS=$(JOBS) CMAKE_ARGS="$(CMAKE_FLAGS)" .venv/bin/python3 tools/dist.py

clean:
	rm -rf build build-debug build-asan build-strict build-arm build-lint build-wheel dist output

setup-%:
	@tools/setup.sh $*
