package document_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment"
	"mcsim/sim/simtest"
)

// crafts change nodes into nodes that no run draws, or that a run could draw.
var crafts = map[string]func(n *moments.Node){
	"one moment":        func(n *moments.Node) { n.Moments = n.Moments[:1] },
	"fewer moments":     func(n *moments.Node) { n.Moments = n.Moments[:max(len(n.Moments)-1, 1)] },
	"more moments":      func(n *moments.Node) { n.Moments = append(n.Moments, n.Moments[0]) },
	"order 2":           func(n *moments.Node) { changeMoments(n, 0, func(m *moments.Moments) { m.Order = 2 }) },
	"order 2 of others": func(n *moments.Node) { changeMoments(n, 1, func(m *moments.Moments) { m.Order = 2 }) },
	"empty":             func(n *moments.Node) { *n = moments.Node{Moments: []moments.Moments{{N: n.Moments[0].N, Order: 2}}} },
	"no counts":         func(n *moments.Node) { n.Counts = nil },
	"fewer counts":      func(n *moments.Node) { n.Counts = n.Counts[:max(len(n.Counts)-1, 0)] },
	"negative counts":   func(n *moments.Node) { changeCounts(n, -1) },
	"largest counts":    func(n *moments.Node) { changeCounts(n, math.MaxInt64) },
	"smallest counts":   func(n *moments.Node) { changeCounts(n, math.MinInt64) },
	"N of others 0":     func(n *moments.Node) { changeMoments(n, 1, func(m *moments.Moments) { m.N = 0 }) },
	"N of others 1":     func(n *moments.Node) { changeMoments(n, 1, func(m *moments.Moments) { m.N = 1 }) },
	"N of others huge":  func(n *moments.Node) { changeMoments(n, 1, func(m *moments.Moments) { m.N = math.MaxInt64 }) },
	"not a number":      func(n *moments.Node) { changeMoments(n, 0, func(m *moments.Moments) { m.Mean = math.NaN() }) },
	"infinite":          func(n *moments.Node) { changeMoments(n, 0, func(m *moments.Moments) { m.Mean = math.Inf(1) }) },
	"negative sums":     func(n *moments.Node) { changeMoments(n, 0, func(m *moments.Moments) { m.Sum[2] = -1 }) },
	"sums not a number": func(n *moments.Node) { changeMoments(n, 0, func(m *moments.Moments) { m.Sum[2] = math.NaN() }) },
	"no histograms":     func(n *moments.Node) { n.Histograms = nil },
	"fewer histograms":  func(n *moments.Node) { n.Histograms = n.Histograms[:max(len(n.Histograms)-1, 0)] },
	"no bins":           func(n *moments.Node) { changeHistograms(n, func(h *moments.Histogram) { h.Counts = nil }) },
	"one number":        func(n *moments.Node) { changeHistograms(n, func(h *moments.Histogram) { h.Counts = []int64{1} }) },
	"last bin":          func(n *moments.Node) { changeHistograms(n, func(h *moments.Histogram) { h.FirstBin = 1 << 20 }) },
	"histogram overflow": func(n *moments.Node) {
		changeHistograms(n, func(h *moments.Histogram) { h.Counts = []int64{math.MaxInt64, 9} })
	},
	"no windows": func(n *moments.Node) { changeHistograms(n, func(h *moments.Histogram) { h.Windows = nil }) },
	"far windows": func(n *moments.Node) {
		changeHistograms(n, func(h *moments.Histogram) { h.Windows = []moments.Window{{Lo: 1e300, Step: 1e300, Bins: 1}} })
	},
	"falling windows": func(n *moments.Node) {
		changeHistograms(n, func(h *moments.Histogram) {
			h.Windows = []moments.Window{{Lo: 5, Step: 1, Bins: 1}, {Lo: -5, Step: 1e300, Bins: 9}, {Lo: 0, Step: 1e-300, Bins: 1}}
		})
	},
	"large windows": func(n *moments.Node) {
		changeHistograms(n, func(h *moments.Histogram) {
			h.Windows = slices.Repeat([]moments.Window{{Lo: 0, Step: 1, Bins: 1 << 20}}, 1000)
		})
	},
}

func changeMoments(n *moments.Node, first int, change func(*moments.Moments)) {
	for i := first; i < len(n.Moments); i++ {
		change(&n.Moments[i])
	}
}

func changeCounts(n *moments.Node, count int64) {
	for i := range n.Counts {
		n.Counts[i] = count
	}
}

func changeHistograms(n *moments.Node, change func(*moments.Histogram)) {
	for i := range n.Histograms {
		change(&n.Histograms[i])
	}
}

// impossibleEntries have small cells of the experiments whose nodes have different shapes. (The nodes
// of models and training have moments only, like those of init, and take long.)
var impossibleEntries = []string{
	"{experiment: variance, distribution: normal, d_k: 4, gate: false, samples: 4096}",
	"{experiment: variance, distribution: normal, d_k: 4, estimator: gram, gate: false, samples: 4096}",
	"{experiment: variance, distribution: uniform, d_k: 4, gate: false, samples: 4096}",
	"{experiment: softmax, distribution: normal, d_k: 4, keys: 4, exponent: [0, 1/2], gate: false, samples: 2048}",
	"{experiment: softmax, distribution: normal, d_k: 4, keys: 4, shared_keys: yes, exponent: [0, 1/2], gate: false, samples: 2048}",
	"{experiment: freezing, keys: 4, sigma: [1, 8], gate: false, samples: 2048}",
	"{experiment: ranks, distribution: normal, d_k: 4, keys: 3, exponent: 1/2, gate: false, samples: 2048}",
	"{experiment: sinks, distribution: normal, d_k: 4, keys: 4, gate: false, samples: 2048}",
	"{experiment: precision, distribution: normal, d_k: 4, keys: 4, gate: false, samples: 2048}",
	"{experiment: output-error, distribution: normal, sigma: 1, d_k: 4, keys: 4, gate: false, samples: 64}",
	"{experiment: mismatch, distribution: normal, d_k: 4, gate: false, samples: 2048}",
	"{experiment: alignment, distribution: normal, rho: 1/2, d_k: 4, keys: 4, gate: false, samples: 2048}",
	"{experiment: rules, distribution: normal, d_k: 4, gate: false, samples: 2048}",
	"{experiment: depth, tokens: 4, width: 4, layers: 2, gate: false, samples: 2048}",
	"{experiment: init, d_model: 64, d_k: 8, init: torch-mha, gate: false, samples: 256}",
	"{experiment: health, distribution: normal, gate: false, samples: 4096}",
	"{experiment: controls, control: lanes-equal, d_k: 64, gate: false, samples: 256}",
	"{experiment: calibration, pairs: 64, distribution: normal, d_k: 4, gate: false, samples: 16}",
}

// TestImpossibleNodes replaces the nodes of each cell, or its pilot, by nodes with impossible
// contents. A document of them is an error, or has other numbers, but building it never panics.
func TestImpossibleNodes(t *testing.T) {
	for _, entry := range impossibleEntries {
		s := simtest.NewSchedule(t, "tolerance: 50%\nexperiments:\n  - "+entry+"\n")
		nodes := simtest.NewStore(s)
		simtest.SampleInto(t, s, nodes, 2)
		for i := range s.Jobs {
			ids := []store.CellID{s.Jobs[i].Cell.StoreID()}
			if s.Jobs[i].Cell.HasPilot() {
				ids = append(ids, ids[0].Pilot())
			}
			for _, id := range ids {
				for name, craft := range crafts {
					t.Run(fmt.Sprintf("%s/%s", id.ID, name), func(t *testing.T) {
						requireNoPanic(t, s, replaceNode(t, s, nodes, id, craft))
					})
				}
			}
		}
	}
}

// replaceNode returns a copy of the nodes with one changed node.
func replaceNode(t *testing.T, s *schedule.Schedule, nodes *store.Store, changed store.CellID,
	craft func(*moments.Node)) *store.Store {
	t.Helper()
	crafted := simtest.NewStore(s)
	add := func(id store.CellID, blocks int64) {
		for _, r := range moments.SplitDyadic(0, blocks) {
			n, ok, err := nodes.MergeBlocks(id, r.First(), r.End())
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			if id == changed {
				craft(&n)
			}
			simtest.Must(t, crafted.Add(id, r, n))
		}
	}
	for _, job := range s.Jobs {
		if job.Cell.HasPilot() {
			add(job.Cell.PilotStoreID(), 1)
		}
		add(job.Cell.StoreID(), job.Blocks)
	}
	return crafted
}

// requireNoPanic builds a document. Errors must be experiment.ErrImpossible or store.ErrDamaged.
func requireNoPanic(t *testing.T, s *schedule.Schedule, nodes *store.Store) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("Build panics: %v", r)
		}
	}()
	_, err := document.BuildEstimates(s, nodes)
	if err != nil && !errors.Is(err, experiment.ErrImpossible) && !errors.Is(err, store.ErrDamaged) {
		t.Errorf("got the error %v, want ErrImpossible, ErrDamaged or none", err)
	}
}
