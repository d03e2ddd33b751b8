//go:build long

package main

import (
	"context"
	"testing"
	"time"

	"mcsim/sim/kernel"
)

// Every peer that can run here draws what it should: each checks its own
// variance and ends with an error if it is off.
func TestPeers(t *testing.T) {
	peers, missing := findPeers(t.Context(), "testdata/peers", t.TempDir(), kernel.Names())
	for _, why := range missing {
		t.Log("not here: ", why)
	}
	for _, p := range peers {
		if _, alone, err := p.runTheirs(t.Context(), 2e6); err != nil || alone <= 0 {
			t.Errorf("%s: %v seconds, error %v", p.Name, alone, err)
		}
	}
}

// The peers of softmax, of the products and of precision check their own
// results and end with an error if they are off.
func TestOtherPeers(t *testing.T) {
	s := Setting{Folder: "testdata/peers", Program: "true", Rounds: 1, Measure: func(_, _ int, to float64) (float64, float64, error) { return 1, to, nil }}
	s.kernel, s.round = kernel.Names()[0], time.Millisecond/4
	var doc Document
	for what, compare := range map[string]func(context.Context, Setting) error{
		"softmax": doc.compareSoftmax, "products": doc.compareProducts, "precision": doc.comparePrecision,
	} {
		if err := compare(t.Context(), s); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if len(doc.Missing) > 0 {
		t.Errorf("missing %q", doc.Missing)
	}
	t.Logf("ratios: softmax %d, products %d, precision %d", len(doc.Softmax), len(doc.Products), len(doc.Precision))
}
