# The two most important commands: `make report` builds mcsim, draws the default plan, renders the
# report and judges it (it needs Go, which downloads the modules of go.mod). `make test` runs every
# test. While you work, `make check` runs short tests. `make test-long` adds the slow tests, which
# .github/workflows/nightly.yml runs every night.

GO   ?= go
OUT  ?= out
PLAN ?= default
BIN  := bin/mcsim

# Pinned versions, run through the module proxy, so that go.mod does not need these modules.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT  := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

.PHONY: report build lab run verify check test test-long test-slurm lint generate release clean

# The report must also show a gate that does not pass. So the exit codes 1 (fail) and 3 (undecided)
# of run do not stop it; verify comes last and sets the exit code.
report: build
	@$(BIN) run $(PLAN) -o $(OUT); code=$$?; case $$code in 0|1|3) ;; *) exit $$code ;; esac
	@$(BIN) report $(OUT)
	@$(BIN) verify $(OUT) --quiet && echo "verified: $(OUT) is what its nodes give, and every gate passes"

# The program contains its revision, which the record shows, whatever GOFLAGS say. It is built
# without C, like a release; it then starts a millisecond faster.
build: lab
	@CGO_ENABLED=0 $(GO) build -buildvcs=auto -o $(BIN) ./cmd/mcsim

# The program of the pages, and the script of this Go version that runs it in a browser. mcsim embeds
# their folder, which git ignores. Functions are inlined only where that makes draws faster.
LAB := report/site/lab
LAB_FLAGS := -trimpath -buildvcs=false -ldflags="-s -w" -gcflags=all=-l -gcflags=mcsim/sim/...= -gcflags=math/...=
lab:
	@GOOS=js GOARCH=wasm $(GO) build $(LAB_FLAGS) -o $(LAB)/lab.wasm ./cmd/lab
	@cmp -s "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(LAB)/wasm_exec.js || cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" $(LAB)/wasm_exec.js

run: build
	$(BIN) run $(PLAN) -o $(OUT)

# Judges $(OUT)/results.json again.
verify: build
	$(BIN) verify $(OUT)

# Generators that are separate modules, so that mcsim does not depend on what they need.
GENERATORS := sim/kernel/gen templates/generate
# Tests in separate modules, for the same reason.
APART := sim/engine/script/k8stest

# Runs every test. The kernels are tested with every implementation that the processor has (-count=1,
# since the cache of go test does not see the environment variables that a package reads when it
# starts). The site is tested in a browser if one is installed or can be installed.
test:
	@echo "every test: about five minutes on two cores, most of them in a browser (make check runs only short tests)"
	@.ci/tools browser
	$(GO) test -timeout 40m -vet=off ./... # make lint vets
	MCSIM_KERNEL=portable $(GO) test -count=1 ./sim/kernel
	$(GO) test -tags noasm ./sim/kernel
	for module in $(GENERATORS) $(APART); do $(GO) test -C $$module -count=1 ./... || exit; done

# For use while you work: vet, the short tests, and a small plan from run to verify. It takes less
# than a minute on two idle cores.
check: build
	$(GO) vet ./...
	$(GO) test -short -vet=off ./...
	@dir=$$(mktemp -d) && $(BIN) run report/internal/sample/plan.yaml -q -o "$$dir" && \
		$(BIN) report -q "$$dir" && $(BIN) verify -q "$$dir" && rm -r "$$dir" && echo "the small plan passes from run to verify"

# The slow tests of the night: many times as many draws, dieharder, the default plan on every kernel
# and number of workers. They take hours; `.ci/tools long` installs what they need.
test-long:
	@.ci/tools browser
	$(GO) test -tags long -timeout 240m ./...

# Runs the job array that `mcsim script slurm` prints on a Slurm cluster of four nodes on this host.
# Meanwhile nodes are lost, and daemons are restarted and killed. It takes about five minutes.
test-slurm:
	@.ci/tools slurm
	$(GO) test -tags slurm -count=1 -timeout 30m -run TestSlurm ./cmd/mcsim

# vet also checks the file for locks on Windows and the assembly for arm64. The workflow builds the
# whole program for all systems (.ci/release).
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

# Builds the archives of a release with their checksums, for all systems or for those in ONLY
# ("linux/amd64 linux/arm64"). They have the same bytes on any machine with the same Go and git.
# .ci/release builds them twice and compares.
DIST ?= dist
ONLY ?=
release: lab
	@.ci/archives $(DIST) $(ONLY)

# Writes all generated files again; CI compares them with the committed ones.
generate:
	$(GO) generate ./...

clean:
	rm -rf bin $(LAB)/lab.wasm $(LAB)/wasm_exec.js $(OUT)/*.html $(OUT)/*.css $(OUT)/*.js $(OUT)/*.svg $(OUT)/*.json $(OUT)/*.csv $(OUT)/*.bin $(OUT)/figures/*.png $(OUT)/figures/*.pdf $(OUT)/figures/*.csv $(OUT)/figures/*.md $(OUT)/figures/*.tex $(OUT)/figures/*-dark.svg $(OUT)/figures/*-narrow.svg
