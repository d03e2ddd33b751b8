// Package simtest takes a plan's text all the way to a document for the tests of other
// packages: [Scheduled], [Fresh], [DrawnInto], or in one step [DrawnDocument]. [Sealed]
// forges a document as somebody with the program could.
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

// Scheduled is a plan's text worked out.
func Scheduled(t testing.TB, text string) *schedule.Schedule {
	t.Helper()
	p, err := plan.Parse("plan.yaml", []byte(text))
	Must(t, err)
	s, err := schedule.New(p)
	Must(t, err)
	return s
}

// DrawnInto runs a schedule and returns the bytes of its document.
func DrawnInto(t testing.TB, s *schedule.Schedule, nodes *store.Store, workers int) []byte {
	t.Helper()
	Must(t, run.Draw(context.Background(), s, nodes, run.Options{Workers: workers}))
	return Encoded(t, s, nodes)
}

// Encoded are the bytes of the document of nodes that are drawn.
func Encoded(t testing.TB, s *schedule.Schedule, nodes *store.Store) []byte {
	t.Helper()
	doc, err := document.Build(s, nodes)
	Must(t, err)
	text, err := result.Encode(doc)
	Must(t, err)
	return text
}

// Fresh is a store without nodes for the schedule. It is kept in no file, so that its
// origin goes without the fingerprint of the bits, which takes longer than a small plan.
func Fresh(s *schedule.Schedule) *store.Store {
	return store.New(store.Origin{Kernel: kernel.Version, Seed: s.Plan.Seed, Attempt: uint64(s.Plan.Attempt)})
}

// DrawnDocument draws a plan's text and returns its document.
func DrawnDocument(t testing.TB, plan string) *result.Document {
	t.Helper()
	return Built(t, Scheduled(t, plan))
}

// Built draws a schedule and returns its document.
func Built(t testing.TB, s *schedule.Schedule) *result.Document {
	t.Helper()
	nodes := Fresh(s)
	Must(t, run.Draw(context.Background(), s, nodes, run.Options{Workers: 2}))
	doc, err := document.Build(s, nodes)
	Must(t, err)
	return doc
}

// Sealed lets change alter a copy of the document, and gives back what a reader
// would: encoded with a digest that fits, and decoded.
func Sealed(t testing.TB, doc *result.Document, change func(*result.Document)) *result.Document {
	t.Helper()
	text, err := result.Encode(doc)
	Must(t, err)
	copied, err := result.Decode(text)
	Must(t, err)
	change(copied)
	if text, err = result.Encode(copied); err != nil {
		t.Fatal(err)
	}
	again, err := result.Decode(text)
	Must(t, err)
	return again
}

// Find returns the first estimate of the quantity in a cell.
func Find(t testing.TB, doc *result.Document, cell, quantity string) *result.Estimate {
	t.Helper()
	i := slices.IndexFunc(doc.Estimates, func(e result.Estimate) bool {
		return e.Cell == cell && e.Quantity == quantity
	})
	if i < 0 {
		t.Fatalf("no %s of %s", quantity, cell)
	}
	return &doc.Estimates[i]
}

// Sample is the text of the document that the report is tested with, which has rows of every
// experiment. The folder is the module's, from the test that asks.
func Sample(t testing.TB, root string) []byte {
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

// Must ends a test that cannot go on.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
