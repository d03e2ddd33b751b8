package page

import (
	"encoding/json"
	"time"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/markdown"
	"mcsim/sim/result"
)

// Source is the document as the pages read it.
type Source struct {
	Doc  *result.Document
	Plan plan
	Run  Run
	// Files are the names of the files next to the pages.
	Files map[string]bool
	// Figures are those of every chart, with what the document has for them.
	Figures []figure.Figure
	// EssayRows are the rows that the essay reads, none if it is not written.
	EssayRows []result.Estimate
}

// Run is what is known about the run besides its results. It differs from machine to machine, so
// only the record shows it. Empty fields are not shown.
type Run struct {
	Version  string // of mcsim
	Revision string // of its source
	Go       string // version of the toolchain
	Host     string
	Date     time.Time
	Wall     time.Duration // of the sampling, or of the merge of shards
	Shards   int           // number of merged shards; 0 if one program drew all
}

// plan is what the pages say about the plan.
type plan struct {
	Name string   `json:"name"`
	Only []string `json:"only"` // the experiments that are drawn, if not all are
}

// NewSource returns what the pages read of a document; files are those that
// stand beside them.
func NewSource(doc *result.Document, run Run, files map[string]bool) *Source {
	s := &Source{Doc: doc, Run: run, Files: files}
	// A plan without these, or with other types of them, is shown without them.
	_ = json.Unmarshal(doc.Plan, &s.Plan)
	return s
}

// factsOf lists what is known about the run.
func factsOf(r Run) Table {
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
	wall := "wall time"
	if r.Shards > 0 {
		add("shards", digits.Count(int64(r.Shards)))
		wall = "wall time of the merge"
	}
	if r.Wall > 0 {
		add(wall, digits.Short(r.Wall.Round(10*time.Millisecond).Seconds())+" s")
	}
	return t
}
