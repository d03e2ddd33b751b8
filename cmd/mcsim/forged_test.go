package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcsim/cmd/mcsim/program"
	"mcsim/sim/base/moments"
)

// forgeries change a node into one that no run samples.
var forgeries = map[string]func(n *moments.Node){
	"one column":        func(n *moments.Node) { n.Moments = n.Moments[:1] },
	"a column more":     func(n *moments.Node) { n.Moments = append(n.Moments, n.Moments[0]) },
	"order 2":           func(n *moments.Node) { forgeMoments(n, func(m *moments.Moments) { m.Order = 2 }) },
	"order 3":           func(n *moments.Node) { forgeMoments(n, func(m *moments.Moments) { m.Order = 3 }) },
	"mean not a number": func(n *moments.Node) { forgeMoments(n, func(m *moments.Moments) { m.Mean = math.NaN() }) },
	"infinite mean":     func(n *moments.Node) { forgeMoments(n, func(m *moments.Moments) { m.Mean = math.Inf(-1) }) },
	"sum not a number":  func(n *moments.Node) { forgeMoments(n, func(m *moments.Moments) { m.Sum[2] = math.NaN() }) },
	"infinite sum": func(n *moments.Node) {
		forgeMoments(n, func(m *moments.Moments) { m.Sum[m.Order] = math.Inf(1) })
	},
	"negative sum": func(n *moments.Node) { forgeMoments(n, func(m *moments.Moments) { m.Sum[2] = -1e3 }) },
	"no units":     func(n *moments.Node) { forgeMoments(n, func(m *moments.Moments) { m.N = 0 }) },
	"one unit":     func(n *moments.Node) { forgeMoments(n, func(m *moments.Moments) { m.N = 1 }) },
	"no units in the last column": func(n *moments.Node) {
		n.Moments[len(n.Moments)-1].N = 0
	},
	"a unit more in the last column": func(n *moments.Node) { n.Moments[len(n.Moments)-1].N++ },
	"huge units": func(n *moments.Node) {
		forgeMoments(n, func(m *moments.Moments) { m.N = math.MaxInt64 })
	},
	"negative units":   func(n *moments.Node) { forgeMoments(n, func(m *moments.Moments) { m.N = -1 }) },
	"no counts":        func(n *moments.Node) { n.Counts = nil },
	"a count more":     func(n *moments.Node) { n.Counts = append(n.Counts, 0) },
	"negative counts":  func(n *moments.Node) { forgeCounts(n, -1) },
	"huge counts":      func(n *moments.Node) { forgeCounts(n, math.MaxInt64) },
	"no histograms":    func(n *moments.Node) { n.Histograms = nil },
	"a histogram more": func(n *moments.Node) { n.Histograms = append(n.Histograms, moments.Histogram{}) },
	"no bins":          func(n *moments.Node) { forgeHistograms(n, func(h *moments.Histogram) { h.Counts = nil }) },
	"another bin": func(n *moments.Node) {
		forgeHistograms(n, func(h *moments.Histogram) { h.Counts = append(h.Counts, 1) })
	},
	"many bins": func(n *moments.Node) {
		forgeHistograms(n, func(h *moments.Histogram) { h.Counts = slices.Repeat([]int64{1}, 1<<16) })
	},
	"huge bins": func(n *moments.Node) {
		forgeHistograms(n, func(h *moments.Histogram) { h.Counts = []int64{math.MaxInt64, 9} })
	},
	"last bin":   func(n *moments.Node) { forgeHistograms(n, func(h *moments.Histogram) { h.FirstBin = 1 << 20 }) },
	"no windows": func(n *moments.Node) { forgeHistograms(n, func(h *moments.Histogram) { h.Windows = nil }) },
	"infinite windows": func(n *moments.Node) {
		forgeHistograms(n, func(h *moments.Histogram) {
			h.Windows = []moments.Window{{Lo: math.Inf(1), Step: math.NaN(), Bins: 3}}
		})
	},
	"falling windows": func(n *moments.Node) {
		forgeHistograms(n, func(h *moments.Histogram) {
			h.Windows = []moments.Window{{Lo: 5, Step: 1, Bins: 1}, {Lo: -5, Step: 1e300, Bins: 9}}
		})
	},
	"far windows": func(n *moments.Node) {
		forgeHistograms(n, func(h *moments.Histogram) { h.Windows = []moments.Window{{Lo: 1e300, Step: 1e300, Bins: 9}} })
	},
}

func forgeMoments(n *moments.Node, change func(*moments.Moments)) {
	for i := range n.Moments {
		change(&n.Moments[i])
	}
}

func forgeCounts(n *moments.Node, count int64) {
	for i := range n.Counts {
		n.Counts[i] = count
	}
}

func forgeHistograms(n *moments.Node, change func(*moments.Histogram)) {
	for i := range n.Histograms {
		change(&n.Histograms[i])
	}
}

// recordMark begins a record of nodes.
const recordMark = "\x8bmcnode\n"

// forgeRecords applies a forgery to the nodes of the records whose indices are selected, and returns
// the file with new checksums of the records. isChanged reports whether a node is different.
func forgeRecords(t *testing.T, file []byte, forge func(*moments.Node),
	isSelected func(i int) bool) (forged []byte, isChanged bool) {
	t.Helper()
	const sumSize = 16
	start := bytes.Index(file, []byte(recordMark))
	forged = slices.Clone(file[:start])
	rest := file[start:]
	for i := 0; bytes.HasPrefix(rest, []byte(recordMark)); i++ {
		size := int(binary.LittleEndian.Uint64(rest[len(recordMark):]))
		body := rest[len(recordMark)+8+sumSize:][:size]
		rest = rest[len(recordMark)+8+sumSize+size:]
		r := moments.Reader{B: body}
		r.Take(4 * 8) // the numbers of the ID
		for range 4 { // its texts
			r.Take(int(r.Uint32()))
		}
		newBody := slices.Clone(body[:size-len(r.B)])
		for len(r.B) > 0 {
			newBody = append(newBody, r.Take(4+8)...) // the range of blocks
			old := r.Take(int(r.Uint32()))
			node := moments.Reader{B: old}
			n := node.Node()
			if node.Bad || r.Bad {
				t.Fatal("the record cannot be read")
			}
			if isSelected(i) {
				forge(&n)
			}
			text := moments.AppendNode(nil, n)
			isChanged = isChanged || !bytes.Equal(text, old)
			newBody = append(binary.LittleEndian.AppendUint32(newBody, uint32(len(text))), text...)
		}
		length := binary.LittleEndian.AppendUint64(nil, uint64(len(newBody)))
		sum := sha256.Sum256(slices.Concat(length, newBody))
		forged = slices.Concat(forged, []byte(recordMark), length, sum[:sumSize], newBody)
	}
	if len(rest) > 0 { // the file of a shard ends with its own checksum
		sum := sha256.Sum256(forged)
		forged = append(forged, sum[:]...)
	}
	return forged, isChanged
}

// forgedPlan has a small cell of each experiment except models and training, which take long and
// whose nodes have only columns, like those of init.
const forgedPlan = `
name: forged
tolerance: 50%
experiments:
  - {experiment: variance, distribution: [normal, rademacher], d_k: 4, gate: false, samples: 4096}
  - {experiment: variance, distribution: uniform, d_k: 4, estimator: gram, gate: false, samples: 4096}
  - {experiment: softmax, distribution: normal, d_k: 4, keys: 4, exponent: [0, 1/2], gate: false, samples: 2048}
  - {experiment: softmax, distribution: normal, d_k: 4, keys: 4, shared_keys: yes, exponent: 0,
    gate: false, samples: 2048}
  - {experiment: freezing, keys: 4, sigma: [1, 8], gate: false, samples: 2048}
  - {experiment: ranks, distribution: normal, d_k: 4, keys: 3, exponent: 1/2, gate: false, samples: 2048}
  - {experiment: sinks, distribution: normal, d_k: 4, keys: 4, gate: false, samples: 2048}
  - {experiment: precision, distribution: normal, d_k: 4, keys: 4, gate: false, samples: 2048}
  - {experiment: output-error, distribution: normal, sigma: 1, d_k: 4, keys: 4, gate: false, samples: 64}
  - {experiment: mismatch, distribution: normal, d_k: 4, gate: false, samples: 2048}
  - {experiment: alignment, distribution: normal, rho: 1/2, d_k: 4, keys: 4, gate: false, samples: 2048}
  - {experiment: rules, distribution: normal, d_k: 4, gate: false, samples: 2048}
  - {experiment: depth, tokens: 4, width: 4, layers: 2, gate: false, samples: 2048}
  - {experiment: init, d_model: 64, d_k: 8, init: torch-mha, gate: false, samples: 256}
  - {experiment: health, distribution: normal, gate: false, samples: 4096}
  - {experiment: controls, control: lanes-equal, d_k: 64, gate: false, samples: 256}
  - {experiment: calibration, pairs: 64, distribution: normal, d_k: 4, gate: false, samples: 16}
`

// TestForgedNodes forges the nodes of a finished run and of a shard, each with new checksums. For
// every forgery, run samples the forged nodes again or refuses them, and verify and merge name them.
// None of them panics, or ends with code 0 and other results. Each forgery is applied to half of
// the records at a time.
func TestForgedNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	dir := writePlan(t, forgedPlan)
	plan, out, shard := filepath.Join(dir, "plan.yaml"), filepath.Join(dir, "out"), filepath.Join(dir, "0.mcs")
	requirePass := func(args ...string) {
		t.Helper()
		if stdout, stderr, code := runHere(args...); code != 0 {
			t.Fatalf("mcsim %s: exit code %d: %s%s", strings.Join(args, " "), code, stdout, stderr)
		}
	}
	requirePass("run", plan, "-q", "-o", out)
	requirePass("run", plan, "-q", "--shard", "0/1", "-o", shard)
	nodes, shardFile := readFile(t, filepath.Join(out, "nodes.bin")), readFile(t, shard)
	documentFile := filepath.Join(out, "results.json")
	want := readFile(t, documentFile)
	const groups = 2
	for _, name := range slices.Sorted(maps.Keys(forgeries)) {
		for group := range groups {
			isSelected := func(i int) bool { return i%groups == group }
			forged, isChanged := forgeRecords(t, nodes, forgeries[name], isSelected)
			if !isChanged {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", name, group), func(t *testing.T) {
				writeFiles(t, out, map[string][]byte{"nodes.bin": forged})
				requireRefusal(t, documentFile, want, "verify", out)
				requireRefusal(t, documentFile, want, "run", plan, "-q", "-o", out)
				writeFiles(t, out, map[string][]byte{"results.json": want})

				forged, _ := forgeRecords(t, shardFile, forgeries[name], isSelected)
				writeFiles(t, dir, map[string][]byte{"0.mcs": forged})
				merged := filepath.Join(dir, "merged")
				document := filepath.Join(merged, "results.json")
				requireRefusal(t, document, want, "merge", shard, "-q", "-o", merged)
				_, resultsErr := os.Stat(document)
				if _, err := os.Stat(filepath.Join(merged, "nodes.bin")); err == nil && resultsErr != nil {
					t.Error("merge keeps nodes that it refused")
				}
				if err := os.RemoveAll(merged); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// requireRefusal runs a command that may end with code 0 only if a document is then as it was: verify
// if the forgery changes no result. Any other code must come with one line on stderr, or with a
// verdict of verify.
func requireRefusal(t *testing.T, document string, want []byte, args ...string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("mcsim %s panics: %v", args[0], r)
		}
	}()
	stdout, stderr, code := runHere(args...)
	isSame := code == program.Passed && bytes.Equal(readFile(t, document), want)
	if code == program.Passed && !isSame {
		t.Errorf("mcsim %s ends with code 0 and other results: %s", args[0], stdout)
	}
	if code != program.Passed && args[0] != "verify" && !isOneLine(stderr) {
		t.Errorf("mcsim %s ends with code %d and %q; want one line", args[0], code, stderr)
	}
	if code == program.Undecided && args[0] != "verify" {
		t.Errorf("mcsim %s: code 3: %s", args[0], stderr)
	}
}
