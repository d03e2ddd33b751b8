package folder

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/kernel"
	"mcsim/sim/plan"
	"mcsim/sim/simtest"
	"mcsim/sim/store"
)

// What takes long is said beforehand in one line, of a plan with what takes less; what does not is not.
func TestWarn(t *testing.T) {
	for samples, long := range map[string]bool{"16": false, "2^50": true} {
		s := simtest.Scheduled(t, "name: own\nexperiments:\n  - {experiment: variance, law: normal, d_k: 64, gate: false, samples: "+samples+"}\n")
		nodes := store.New(store.Origin{})
		lasts, _ := s.Lasts(0, nodes, 1) // whatever it is, it is measured once
		takes := fmt.Sprintf("takes %s on 1 core here (kernel %s)", show.Lasting(lasts), kernel.Name())
		for want, warn := range map[string]func(io.Writer){
			"what is to be drawn " + takes + "\n":                                       func(w io.Writer) { Warn(w, s, nodes, 1) },
			"plan own " + takes + "; less is drawn with --set\n":                        func(w io.Writer) { WarnOfPlan(w, s, nodes, 1, 0) },
			"what is to be drawn of plan own " + takes + "; less is drawn with --set\n": func(w io.Writer) { WarnOfPlan(w, s, nodes, 1, 0.5) },
		} {
			var said bytes.Buffer
			if warn(&said); long && said.String() != "mcsim: "+want || !long && said.Len() > 0 {
				t.Errorf("of %s samples is said %q, want %q: %v", samples, said.String(), want, long)
			}
		}
	}
}

// What takes less is the smaller sibling of a ready plan, if it does, and else the flags that there are for the plan.
func TestLess(t *testing.T) {
	const long = 1000 * time.Hour
	ready, err := plan.Embedded("default")
	if err != nil {
		t.Fatal(err)
	}
	usual := simtest.Scheduled(t, string(ready))
	if said := less(usual, 1, long); !strings.HasPrefix(said, "`mcsim run quick` takes about ") {
		t.Errorf("in place of the default plan: %s", said)
	}
	if said := less(usual, 1, 0); said != "less is drawn with --only or --set or a wider --tolerance" {
		t.Errorf("in place of what takes no time: %s", said)
	}
	for text, want := range map[string]string{
		"{experiment: variance, law: normal, d_k: 2}":                                               "less is drawn with --set or a wider --tolerance",
		"{experiment: variance, law: normal, d_k: 2, samples: 16}":                                  "less is drawn with --set",
		"{experiment: variance, law: normal, d_k: 2}\n  - {experiment: rules, law: normal, d_k: 2}": "less is drawn with --only or --set or a wider --tolerance",
	} {
		if said := less(simtest.Scheduled(t, "experiments:\n  - "+text+"\n"), 1, long); said != want {
			t.Errorf("in place of %s: %s", text, said)
		}
	}
}
