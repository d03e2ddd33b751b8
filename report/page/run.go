package page

import (
	"time"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
)

// runView is the view of the page on the run.
type runView struct{ Facts view.Table }

// thisRun lists what is known about the run.
func thisRun(s *view.Source) runView {
	t := view.Table{Caption: "The run.", Head: []string{"what", "value"}, Left: []int{1}}
	add := func(name, value string) {
		if value != "" {
			t.Rows = append(t.Rows, []string{name, markdown.Escape(value)})
		}
	}
	r := s.Run
	add("mcsim", r.Version)
	add("revision", r.Revision)
	add("Go", r.Go)
	add("host", r.Host)
	if !r.Date.IsZero() {
		add("date", r.Date.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if r.Wall > 0 {
		add("wall time", digits.Short(float64(r.Wall.Round(10*time.Millisecond))/float64(time.Second))+" s")
	}
	return runView{t}
}
