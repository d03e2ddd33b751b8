// Package simtest helps tests of other packages to turn the text of a plan into a document:
// [NewSchedule], [NewStore] and [SampleInto], or [SampleDocument] in one step.
package simtest

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mcsim/sim/base/store"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
)

// NewSchedule returns the schedule of a plan's text.
func NewSchedule(t testing.TB, text string) *schedule.Schedule {
	t.Helper()
	p, err := plan.Parse("plan.yaml", []byte(text))
	Must(t, err)
	s, err := schedule.New(p)
	Must(t, err)
	return s
}

// SampleInto runs a schedule and returns the bytes of its document.
func SampleInto(t testing.TB, s *schedule.Schedule, nodes *store.Store, workers int) []byte {
	t.Helper()
	Must(t, run.Sample(context.Background(), s, nodes, run.Options{Workers: workers}))
	return EncodeDocument(t, s, nodes)
}

// EncodeDocument returns the bytes of the document of sampled nodes.
func EncodeDocument(t testing.TB, s *schedule.Schedule, nodes *store.Store) []byte {
	t.Helper()
	doc, err := document.Build(s, nodes)
	Must(t, err)
	text, err := result.Encode(doc)
	Must(t, err)
	return text
}

// NewStore returns an empty store in memory for the schedule. Its origin has no fingerprints of the
// samples, which would take longer than a small plan.
func NewStore(s *schedule.Schedule) *store.Store {
	return store.New(store.Origin{Kernel: kernel.Version, Seed: s.Plan.Seed, Attempt: uint64(s.Plan.Attempt)})
}

// SampleDocument samples the plan and returns its document.
func SampleDocument(t testing.TB, plan string) *result.Document {
	t.Helper()
	return BuildDocument(t, NewSchedule(t, plan))
}

// BuildDocument samples a schedule and returns its document.
func BuildDocument(t testing.TB, s *schedule.Schedule) *result.Document {
	t.Helper()
	nodes := NewStore(s)
	Must(t, run.Sample(context.Background(), s, nodes, run.Options{Workers: 2}))
	doc, err := document.Build(s, nodes)
	Must(t, err)
	return doc
}

// FindEstimate returns the first estimate of the quantity in a cell.
func FindEstimate(t testing.TB, doc *result.Document, cell, quantity string) *result.Estimate {
	t.Helper()
	i := slices.IndexFunc(doc.Estimates, func(e result.Estimate) bool {
		return e.Cell == cell && e.Quantity == quantity
	})
	if i < 0 {
		t.Fatalf("no %s of %s", quantity, cell)
	}
	return &doc.Estimates[i]
}

// ReadSampleDocument returns the text of the document that the tests of the report use. It has
// estimates of every experiment. root is the path of the module's root from the test's folder.
func ReadSampleDocument(t testing.TB, root string) []byte {
	t.Helper()
	file, err := os.Open(filepath.Join(root, "report/internal/sample/results.json.gz"))
	Must(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	Must(t, err)
	text, err := io.ReadAll(z)
	Must(t, err)
	return text
}

// Must ends the test if err is not nil.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
