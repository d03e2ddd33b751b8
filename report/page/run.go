package page

import (
	"fmt"
	"time"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/bench"
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

// attentionTimes hold how long attention took on the machine of the run.
func attentionTimes(times []bench.AttentionTime) view.Table {
	if len(times) == 0 {
		return view.Table{}
	}
	first := times[0]
	t := view.Table{
		Caption: fmt.Sprintf("One head of attention with d_k%s%s in double precision, timed on this machine after the run: the median of %s, with the least and the most in brackets. Operations are counted, of scores, scaling, softmax and blend.",
			view.Equals, digits.Count(first.Key), digits.Count(int64(first.Rounds))+" "+digits.Form(first.Rounds, "round", "rounds")),
		Head: []string{"n", "operations", "milliseconds", "10⁹ operations a second", "against half the tokens"},
	}
	for _, a := range times {
		growth := digits.None
		if a.Growth != nil {
			growth = "×\u00a0" + among(*a.Growth, 1)
		}
		t.Rows = append(t.Rows, []string{digits.Count(a.Context), digits.Count(a.Operations), among(a.Seconds, 1e3), among(a.Rate, 1e-9), growth})
	}
	return t
}

// among writes the median of rounds with the least and the most, in a unit of which so many
// are one, with two digits each.
func among(r bench.Times, units float64) string {
	two := func(x float64) string { return digits.Significant(units*x, 2) }
	return fmt.Sprintf("%s\u00a0[%s,\u00a0%s]", two(r.Median), two(r.Min), two(r.Max))
}
