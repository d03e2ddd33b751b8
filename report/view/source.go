// Package view holds what the pages share: the document as they read it
// (Source), tables of finished strings, the verdict of the gates and how far
// they support a finding. It computes no statistic.
package view

import (
	"encoding/json"
	"time"

	"mcsim/report/figure"
	"mcsim/sim/result"
)

// Source is the document as the views read it.
type Source struct {
	Doc  *result.Document
	Plan plan
	Run  Run
	// Files are those that stand beside the pages, by name.
	Files map[string]bool
	// Figures are those of every chart, with what the document has for them.
	Figures []figure.Figure
	// Told are the rows that the essay reads, none where it is not written.
	Told []result.Estimate
}

// Run is what is known about the run besides its results. It differs from
// machine to machine, and so appears on one page of its own only. Empty fields
// are left out.
type Run struct {
	Version  string // of mcsim
	Revision string // of its source
	Go       string // version of the toolchain
	Host     string
	Date     time.Time
	Wall     time.Duration // of the sampling, or of the merge of shards
	Shards   int           // that were merged; 0 where one program drew all
}

// plan is what the pages say about the plan.
type plan struct {
	Name string   `json:"name"`
	Only []string `json:"only"` // the experiments that are drawn, where not all are
}

// NewSource returns what the pages read of a document; files are those that
// stand beside them.
func NewSource(doc *result.Document, run Run, files map[string]bool) *Source {
	s := &Source{Doc: doc, Run: run, Files: files}
	// A plan that lacks these, or names them otherwise, is shown without them.
	_ = json.Unmarshal(doc.Plan, &s.Plan)
	return s
}
