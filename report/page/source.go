package page

import (
	"encoding/json"
	"time"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/markdown"
	"mcsim/sim/result"
)

// Source has everything that the pages read.
type Source struct {
	Doc  *result.Document
	Plan plan
	Run  Run
	// Files tells which files exist next to the pages, by name.
	Files map[string]bool
	// Figures are the figures for which the document has data.
	Figures []figure.Figure
	// EssayEstimates are the estimates that the essay reads. They are empty if the report does not
	// have the essay.
	EssayEstimates []result.Estimate
}

// Run has facts about the run, which differ from machine to machine. Only the record shows them,
// and it omits empty ones.
type Run struct {
	Version  string // version of mcsim
	Revision string // revision of its source
	Go       string // version of the toolchain
	Host     string
	Date     time.Time
	WallTime time.Duration // duration of the sampling, or of the merge of shards
	Shards   int           // number of merged shards; 0 if the run was not sharded
}

// plan has the fields of a plan that the pages show.
type plan struct {
	Name        string   `json:"name"`
	Experiments []string `json:"only"` // experiments that were sampled; empty if all were
}

// NewSource returns a source without figures and without the essay. files tells which files exist
// next to the pages.
func NewSource(doc *result.Document, run Run, files map[string]bool) *Source {
	s := &Source{Doc: doc, Run: run, Files: files}
	// If a field is missing or has another type, the pages do not show it.
	_ = json.Unmarshal(doc.Plan, &s.Plan)
	return s
}

// factsTable returns the table of the facts about the run.
func factsTable(r Run) Table {
	t := Table{Caption: "The run.", Head: []string{"what", "value"}, Left: []int{1}}
	add := func(name, value string) {
		if value != "" {
			t.Rows = append(t.Rows, []string{name, markdown.Escape(value)})
		}
	}
	add("mcsim", r.Version)
	add("revision", r.Revision)
	add("Go", r.Go)
	add("host", r.Host)
	if !r.Date.IsZero() {
		add("date", r.Date.UTC().Format("2006-01-02 15:04 UTC"))
	}
	wallTimeName := "wall time"
	if r.Shards > 0 {
		add("shards", digits.Count(int64(r.Shards)))
		wallTimeName = "wall time of the merge"
	}
	if r.WallTime > 0 {
		add(wallTimeName, digits.Short(r.WallTime.Round(10*time.Millisecond).Seconds())+" s")
	}
	return t
}
