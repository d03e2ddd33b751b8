package sim_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/kernel"
	"mcsim/sim/simtest"
)

// everyDistribution is a plan with each distribution and each of its estimators. It also has stacks
// of layers, heads, and rows of softmax: in one chunk, in several, and with shared keys. It has
// pairs and rows with unequal components and with every rule.
const everyDistribution = `
seed: 5
experiments:
  - {experiment: variance, distribution: [normal, uniform, rademacher, laplace, triangular, truncated-normal, student-t(10), bernoulli-gaussian(0.1), sphere], d_k: [3, 64], samples: 4096, gate: false}
  - {experiment: variance, distribution: [normal, uniform, rademacher, laplace, triangular, truncated-normal, student-t(10), bernoulli-gaussian(0.1)], d_k: [5, 300], estimator: gram, samples: 1, gate: false}
  - {experiment: depth, tokens: [2, 16], width: [5, 32], layers: 3, scale: [sqrt(d_k), unscaled], residual: [yes, no], norm: [yes, no], samples: 100}
  - {experiment: softmax, distribution: [normal, student-t(10), sphere], d_k: [1, 64], keys: [2, 9], shared_keys: [no, yes], exponent: [0, 1/2], temperature: [0, 3, infinite], samples: 1, gate: false}
  - {experiment: softmax, distribution: normal, d_k: 2080, keys: 65, exponent: 1/2, samples: 1, gate: false}
  - {experiment: freezing, keys: [2, 33], sigma: [0, 1, 16], samples: 1, gate: false}
  - {experiment: ranks, distribution: [normal, student-t(10), sphere], d_k: [1, 64], keys: [2, 9], exponent: [0, 1/2], samples: 1, gate: false}
  - {experiment: ranks, distribution: normal, d_k: 4128, keys: 33, exponent: 1/2, samples: 1, gate: false}
  - {experiment: mismatch, distribution: [normal, student-t(10)], d_k: [1, 65], q_sd: 2, k_mean: [0, 1/3], q_correlation: [0, 1/10], samples: 1, gate: false}
  - {experiment: alignment, distribution: [normal, sphere], d_k: [1, 64], rho: [-1/10, 1], keys: 9, samples: 1, gate: false}
  - {experiment: alignment, distribution: normal, d_k: 2080, rho: 1/2, keys: 65, samples: 1, gate: false}
  - {experiment: rules, distribution: [normal, bernoulli-gaussian(0.1), sphere], d_k: [1, 3, 300], rule: [power(1/3), cosine, key-normalised, qk-norm, soft-cap(5), additive(3), additive], samples: 1}
  - {experiment: rules, distribution: normal, d_k: 5000, rule: [cosine, additive(2)], samples: 1}
  - {experiment: init, d_model: 36, d_k: [4, 18], samples: 3}
  - {experiment: init, init: [torch-linear, flax, orthogonal, qk-norm], d_model: 520, d_k: 65, samples: 2}
`

// wantHash is the start of the SHA-256 of the nodes of everyDistribution, the same for all kernels
// and numbers of workers. It changes only if the bits of results change.
const wantHash = "c53868b059a496283f6ee202\n"

// workersVariable is the environment variable that makes TestOneHash print the hash of a run with
// the given number of workers, in a process of its own.
const workersVariable = "MCSIM_TEST_HASH_WORKERS"

// TestOneHash samples everyDistribution with every kernel that the processor supports, each in its
// own process, with 1, 2 and 7 workers.
func TestOneHash(t *testing.T) {
	if n := os.Getenv(workersVariable); n != "" {
		workers, err := strconv.Atoi(n)
		simtest.Must(t, err)
		fmt.Print("hash\n", hashNodes(t, workers))
		return
	}
	kernels, counts := kernel.Names(), []int{1, 2, 7}
	if testing.Short() {
		kernels, counts = kernels[:1], counts[2:]
	}
	for _, name := range kernels {
		workerCounts := counts
		if name == "portable" {
			workerCounts = counts[len(counts)-1:] // only one number of workers, since it takes ten times as long
		}
		for _, workers := range workerCounts {
			c := exec.Command(os.Args[0], "-test.run=^TestOneHash$")
			c.Env = append(os.Environ(), "MCSIM_KERNEL="+name, workersVariable+"="+strconv.Itoa(workers))
			output, err := c.Output()
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, output)
			}
			_, got, _ := strings.Cut(string(output), "hash\n")
			if got, _, _ = strings.Cut(got, "PASS"); got != wantHash {
				t.Errorf("%s, %d workers: %q, want %q", name, workers, got, wantHash)
			}
		}
	}
}

// hashNodes samples everyDistribution and returns the first 12 bytes of the SHA-256 hash of its
// nodes, in hexadecimal on a line.
func hashNodes(t *testing.T, workers int) string {
	s := simtest.NewSchedule(t, everyDistribution)
	nodes := store.New(store.Origin{Seed: 5})
	simtest.Must(t, run.Sample(context.Background(), s, nodes, run.Options{Workers: workers}))
	h := sha256.New()
	for _, job := range s.Jobs {
		node, ok, err := nodes.Total(job.Cell.StoreID(), job.Blocks)
		if !ok || err != nil {
			t.Fatalf("%s is not sampled: %v", job.Cell.ID, err)
		}
		h.Write(moments.AppendNode(nil, node))
	}
	return hex.EncodeToString(h.Sum(nil)[:12]) + "\n"
}
