package sim_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/run"
	"mcsim/sim/simtest"
	"mcsim/sim/store"
)

// everyLaw draws each law by each estimator that it has, stacks, and rows of
// softmax: whole, in chunks, and with shared keys. Then pairs and rows of other
// components, and of every rule, and heads.
const everyLaw = `
seed: 5
experiments:
  - {experiment: variance, law: [normal, uniform, rademacher, laplace, triangular, truncated-normal, student-t(10), bernoulli-gaussian(0.1), sphere], d_k: [3, 64], samples: 4096, gate: false}
  - {experiment: variance, law: [normal, uniform, rademacher, laplace, triangular, truncated-normal, student-t(10), bernoulli-gaussian(0.1)], d_k: [5, 300], estimator: gram, samples: 1, gate: false}
  - {experiment: depth, tokens: [2, 16], width: [5, 32], layers: 3, scale: [sqrt(d_k), unscaled], residual: [yes, no], norm: [yes, no], samples: 100}
  - {experiment: softmax, law: [normal, student-t(10), sphere], d_k: [1, 64], keys: [2, 9], shared_keys: [no, yes], exponent: [0, 1/2], temperature: [0, 3, infinite], samples: 1, gate: false}
  - {experiment: softmax, law: normal, d_k: 2080, keys: 65, exponent: 1/2, samples: 1, gate: false}
  - {experiment: freezing, keys: [2, 33], sigma: [0, 1, 16], samples: 1, gate: false}
  - {experiment: ranks, law: [normal, student-t(10), sphere], d_k: [1, 64], keys: [2, 9], exponent: [0, 1/2], samples: 1, gate: false}
  - {experiment: ranks, law: normal, d_k: 4128, keys: 33, exponent: 1/2, samples: 1, gate: false}
  - {experiment: mismatch, law: [normal, student-t(10)], d_k: [1, 65], q_sd: 2, k_mean: [0, 1/3], q_correlation: [0, 1/10], samples: 1, gate: false}
  - {experiment: alignment, law: [normal, sphere], d_k: [1, 64], rho: [-1/10, 1], keys: 9, samples: 1, gate: false}
  - {experiment: alignment, law: normal, d_k: 2080, rho: 1/2, keys: 65, samples: 1, gate: false}
  - {experiment: rules, law: [normal, bernoulli-gaussian(0.1), sphere], d_k: [1, 3, 300], rule: [power(1/3), cosine, key-normalised, qk-norm, soft-cap(5), additive(3), additive], samples: 1}
  - {experiment: rules, law: normal, d_k: 5000, rule: [cosine, additive(2)], samples: 1}
  - {experiment: init, d_model: 36, d_k: [4, 18], samples: 3}
  - {experiment: init, init: [torch-linear, flax, orthogonal, qk-norm], d_model: 520, d_k: 65, samples: 2}
`

// one is the hash of the nodes of everyLaw, a line for each estimator, one for
// stacks, one for rows, one for rows by rank, one for heads and one for the rest: one for all kernels and
// all numbers of workers. Whoever changes it changes the bits.
const one = "direct 9bd94d9ec6927d5d09acab94\ngram e71406fe7ae3702e2c3cedf0\ndepth 2d9ed2ac45c521c6156f3653\nrows b85033cece5d649fcce44abd\nranks 0147679e627738f1a56c2c84\nrules 360a3ff474b3225613ef7257\ninit 7755f02b9dc3425ae2e5bd05\n"

const hashWorkers = "MCSIM_TEST_HASH_WORKERS"

// TestOneHash draws everyLaw by every kernel that the processor has, each in a
// process of its own, with 1, 2 and 7 workers.
func TestOneHash(t *testing.T) {
	if n := os.Getenv(hashWorkers); n != "" {
		workers, err := strconv.Atoi(n)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Print("hash\n", hashes(t, workers))
		return
	}
	kernels := kernel.Names()
	if testing.Short() && len(kernels) > 1 {
		kernels = kernels[:len(kernels)-1] // the portable one takes twenty times as long
	}
	for _, name := range kernels {
		for _, workers := range []int{1, 2, 7} {
			c := exec.Command(os.Args[0], "-test.run=^TestOneHash$")
			c.Env = append(os.Environ(), "MCSIM_KERNEL="+name, hashWorkers+"="+strconv.Itoa(workers))
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
			_, got, _ := strings.Cut(string(out), "hash\n")
			if got, _, _ = strings.Cut(got, "PASS"); got != one {
				t.Errorf("%s, %d workers: %q, want %q", name, workers, got, one)
			}
		}
	}
}

func hashes(t *testing.T, workers int) string {
	s := simtest.Scheduled(t, everyLaw)
	nodes := store.New(store.Origin{Seed: 5})
	if err := run.Draw(context.Background(), s, nodes, run.Options{Workers: workers}); err != nil {
		t.Fatal(err)
	}
	sums := map[string][]byte{}
	for _, w := range s.Works {
		node, ok, err := nodes.Total(w.Cell.Key(), w.Blocks)
		if !ok || err != nil {
			t.Fatalf("%s is not drawn: %v", w.Cell.ID, err)
		}
		kind := "direct"
		switch name := w.Cell.Experiment.Name; {
		case name == "mismatch" || name == "alignment" || name == "rules":
			kind = "rules"
		case strings.HasSuffix(w.Cell.ID, "/gram"):
			kind = "gram"
		case name == "depth" || name == "init" || name == "ranks":
			kind = name
		case w.Cell.Experiment.Unit == "row":
			kind = "rows"
		}
		sums[kind] = appendPlainly(sums[kind], node)
	}
	line := func(kind string) string {
		sum := sha256.Sum256(sums[kind])
		return kind + " " + hex.EncodeToString(sum[:12]) + "\n"
	}
	return line("direct") + line("gram") + line("depth") + line("rows") + line("ranks") + line("rules") + line("init")
}

// appendPlainly appends a node's numbers in a form of the test's own, so that their bits alone
// are hashed and not how files hold them.
func appendPlainly(b []byte, n moments.Node) []byte {
	word := func(x uint64) { b = binary.LittleEndian.AppendUint64(b, x) }
	for _, of := range []int{len(n.Moments), len(n.Counts), len(n.Histograms)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(of))
	}
	for _, m := range n.Moments {
		word(uint64(m.N))
		word(uint64(m.Order))
		word(math.Float64bits(m.Mean))
		for p := 2; p <= m.Order; p++ {
			word(math.Float64bits(m.Sum[p]))
		}
	}
	for _, c := range n.Counts {
		word(uint64(c))
	}
	for _, h := range n.Histograms {
		b = binary.AppendUvarint(b, uint64(len(h.Windows)))
		for _, w := range h.Windows {
			word(math.Float64bits(w.Lo))
			word(math.Float64bits(w.Step))
			b = binary.AppendUvarint(b, uint64(w.Bins))
		}
		b = binary.AppendUvarint(b, uint64(h.From))
		b = binary.AppendUvarint(b, uint64(len(h.Counts)))
		for _, c := range h.Counts {
			b = binary.AppendUvarint(b, uint64(c))
		}
	}
	return b
}
