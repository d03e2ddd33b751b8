package page

import (
	"time"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
)

// facts lists what is known about the run.
func facts(r view.Run) view.Table {
	t := view.Table{Caption: "The run.", Head: []string{"what", "value"}, Left: []int{1}}
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
	if r.Shards > 0 {
		add("shards", digits.Count(int64(r.Shards)))
	}
	if r.Wall > 0 {
		add(map[bool]string{false: "wall time", true: "wall time of the merge"}[r.Shards > 0], digits.Short(float64(r.Wall.Round(10*time.Millisecond))/float64(time.Second))+" s")
	}
	return t
}
