package sampling

import (
	"bytes"
	"io"
	"regexp"
	"testing"

	"mcsim/sim/base/store"
	"mcsim/sim/engine/plan"
	"mcsim/sim/kernel"
	"mcsim/sim/simtest"
)

// TestDuration checks what is printed before long sampling, and that nothing is before short
// sampling.
func TestDuration(t *testing.T) {
	for samples, long := range map[string]bool{"16": false, "2^50": true} {
		s := simtest.NewSchedule(t,
			"name: own\nexperiments:\n  - {experiment: variance, distribution: normal, d_k: 64, gate: false, samples: "+samples+"}\n")
		nodes := store.New(store.Origin{})
		takes := "takes TIME on 1 core here (kernel " + kernel.Name() + ")"
		for want, warn := range map[string]func(io.Writer){
			"what is to be drawn " + takes + "\n":                                                                      func(w io.Writer) { PrintDuration(w, s, nodes, 1) },
			"plan own " + takes + "; less is drawn with --only, --set or a wider --tolerance\n":                        func(w io.Writer) { PrintPlanDuration(w, s, nodes, 1, 0) },
			"what is to be drawn of plan own " + takes + "; less is drawn with --only, --set or a wider --tolerance\n": func(w io.Writer) { PrintPlanDuration(w, s, nodes, 1, 0.5) },
		} {
			var said bytes.Buffer
			warn(&said)
			text := regexp.MustCompile(`about [0-9hm]+`).ReplaceAllString(said.String(), "TIME")
			if long && text != "mcsim: "+want || !long && text != "" {
				t.Errorf("of %s samples is said %q, want %q: %v", samples, text, want, long)
			}
		}
	}
}

// What takes less is the smaller sibling of a ready plan, and else the flags that there are for the
// plan.
func TestShorterRun(t *testing.T) {
	ready, err := plan.Embedded("default")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		string(ready): "`mcsim run quick` takes less and judges with wider tolerances",
		"experiments:\n  - {experiment: variance, distribution: normal, d_k: 2}\n": "less is drawn with --only, --set or a wider --tolerance",
	} {
		if said := shorterRun(simtest.NewSchedule(t, text)); said != want {
			t.Errorf("in place of %.60q: %s", text, said)
		}
	}
}
