# mcsim: two commands matter. `make report` builds, draws, renders and judges
# (it needs Go, which fetches the modules of go.mod); `make test` runs every test.
# `make check` is the quick loop while one works; `make test-long` adds the slow
# matrices, which .github/workflows/nightly.yml runs every night.

GO   ?= go
OUT  ?= out
PLAN ?= default
BIN  := bin/mcsim

# Pinned, and run through the module proxy, so that go.mod stays free of it.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT  := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

.PHONY: report build lab run verify check test test-long test-slurm lint generate release clean

# A failing gate must still be shown, so run's 1 (fail) and 3 (undecided) do
# not stop the report; verify comes last and decides.
report: build
	@$(BIN) run $(PLAN) -o $(OUT); code=$$?; case $$code in 0|1|3) ;; *) exit $$code ;; esac
	@$(BIN) report $(OUT)
	@$(BIN) verify $(OUT) --quiet && echo "verified: $(OUT) is what its nodes give, and every gate passes"

# Stamped with its revision, which the record shows, whatever GOFLAGS say; without C, as it is
# released, it starts a millisecond sooner.
build: lab
	@CGO_ENABLED=0 $(GO) build -buildvcs=auto -o $(BIN) ./cmd/mcsim

# The lab's program and what the same Go needs to run it in a browser, in a folder that
# git ignores and mcsim holds. What is built is not built again.
LAB := report/site/lab
lab:
	@GOOS=js GOARCH=wasm $(GO) build -trimpath -buildvcs=false -ldflags="-s -w" -o $(LAB)/lab.wasm ./cmd/lab
	@cmp -s "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(LAB)/wasm_exec.js || cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(LAB)/wasm_exec.js

run: build
	$(BIN) run $(PLAN) -o $(OUT)

# The variance gate: judges $(OUT)/results.json again.
verify: build
	$(BIN) verify $(OUT)

# Generators that are modules of their own, so that what they need is no
# dependency of mcsim.
GENERATORS := sim/kernel/gen templates/generate
# Tests that need what nothing else does, in modules of their own too.
APART := sim/engine/script/k8stest

# The kernels are tested on every implementation that the processor has (-count=1,
# since the cache of go test does not see what a package reads as it starts), and
# the generators and the manifests for Kubernetes in their own modules. The site is tested in a browser, where
# there is one or it may be installed.
test:
	@echo "every test: some five minutes on two cores, most of them in a browser (make check: the quick loop)"
	@.ci/tools browser
	$(GO) test -timeout 40m -vet=off ./... # make lint vets
	MCSIM_KERNEL=portable $(GO) test -count=1 ./sim/kernel
	$(GO) test -tags noasm ./sim/kernel
	for module in $(GENERATORS) $(APART); do $(GO) test -C $$module -count=1 ./... || exit; done

# The quick loop while one works: vet, the short tests (which need not vet again), and a
# small plan on the whole way. Under a minute on two idle cores.
check: build
	$(GO) vet ./...
	$(GO) test -short -vet=off ./...
	@dir=$$(mktemp -d) && $(BIN) run report/internal/sample/plan.yaml -q -o "$$dir" && \
		$(BIN) report -q "$$dir" && $(BIN) verify -q "$$dir" && rm -r "$$dir" && echo "the small plan passes from run to verify"

# What `make test` leaves for the night: many times as many draws, dieharder, the default
# plan on every kernel and number of workers. Hours; .ci/tools long installs its tools.
test-long:
	@.ci/tools browser
	$(GO) test -tags long -timeout 240m ./...

# The job array that `mcsim script slurm` prints, run on a Slurm of four nodes on this host,
# which are lost, restarted and killed meanwhile: some five minutes.
test-slurm:
	@.ci/tools slurm
	$(GO) test -tags slurm -count=1 -timeout 30m -run TestSlurm ./cmd/mcsim

# Windows has its own file for locks, and arm64 has assembly. The workflow builds the whole program
# for all systems (.ci/release).
lint:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	GOOS=windows GOARCH=arm64 $(GO) vet ./sim/base/...
	GOOS=linux GOARCH=arm64 $(GO) vet ./sim/kernel
	GOOS=js GOARCH=wasm $(GO) vet -trimpath ./cmd/lab # as the lab is built, so that packages are compiled once
	$(GO) vet -tags slurm ./cmd/mcsim
	for module in $(GENERATORS) $(APART); do $(GO) vet -C $$module ./... || exit; done
	$(GO) run $(STATICCHECK) ./...
	$(GO) run $(ACTIONLINT)

# The archives of a release with their checksums, for all systems or those of ONLY
# ("linux/amd64 linux/arm64"): the same bytes wherever this commit is built with the
# same Go and git. .ci/release builds them twice and compares.
DIST ?= dist
ONLY ?=
release: lab
	@.ci/archives $(DIST) $(ONLY)

# Remakes what is generated and committed; CI compares.
generate:
	$(GO) generate ./...

clean:
	rm -rf bin $(LAB)/lab.wasm $(LAB)/wasm_exec.js $(OUT)/*.html $(OUT)/*.css $(OUT)/*.svg $(OUT)/*.json $(OUT)/*.csv $(OUT)/*.bin $(OUT)/figures/*.png $(OUT)/figures/*.pdf $(OUT)/figures/*.csv $(OUT)/figures/*.md $(OUT)/figures/*.tex $(OUT)/figures/*-dark.svg $(OUT)/figures/*-narrow.svg
