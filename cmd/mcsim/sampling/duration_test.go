package sampling

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"mcsim/sim/base/store"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/kernel"
	"mcsim/sim/simtest"
)

// TestDuration checks that the duration of long sampling is announced, and the duration of short
// sampling is not.
func TestDuration(t *testing.T) {
	const text = "name: own\nexperiments:\n" +
		"  - {experiment: variance, distribution: normal, d_k: 64, gate: false, samples: SAMPLES}\n"
	const advice = "; --only, --set or a wider --tolerance shortens it\n"
	nodes := store.New(store.Origin{})
	duration := "takes TIME on 1 core here (kernel " + kernel.Name() + ")"
	for _, c := range []struct {
		name  string
		print func(io.Writer, *schedule.Schedule)
		want  string // message before long sampling
	}{
		{
			name:  "probe",
			print: func(w io.Writer, s *schedule.Schedule) { PrintDuration(w, s, nodes, 1) },
			want:  "mcsim: sampling " + duration + "\n",
		},
		{
			name:  "plan",
			print: func(w io.Writer, s *schedule.Schedule) { PrintPlanDuration(w, s, nodes, 1, 0) },
			want:  "mcsim: plan own " + duration + advice,
		},
		{
			name:  "half of a plan",
			print: func(w io.Writer, s *schedule.Schedule) { PrintPlanDuration(w, s, nodes, 1, 0.5) },
			want:  "mcsim: the missing part of plan own " + duration + advice,
		},
	} {
		for samples, want := range map[string]string{"16": "", "2^50": c.want} {
			t.Run(c.name+" "+samples, func(t *testing.T) {
				var b bytes.Buffer
				c.print(&b, simtest.NewSchedule(t, strings.Replace(text, "SAMPLES", samples, 1)))
				got := regexp.MustCompile(`about [0-9hm]+`).ReplaceAllString(b.String(), "TIME")
				if got != want {
					t.Errorf("the message is %q, want %q", got, want)
				}
			})
		}
	}
}

// TestShorterRun checks that the advice for a ready plan is its smaller version, and that the
// advice for any other plan is a list of flags.
func TestShorterRun(t *testing.T) {
	ready, err := plan.Embedded("default")
	if err != nil {
		t.Fatal(err)
	}
	const other = "experiments:\n  - {experiment: variance, distribution: normal, d_k: 2}\n"
	for text, want := range map[string]string{
		string(ready): "`mcsim run quick` takes less time, with wider tolerances",
		other:         "--only, --set or a wider --tolerance shortens it",
	} {
		if got := describeShorterRun(simtest.NewSchedule(t, text)); got != want {
			t.Errorf("for the plan %.60q the advice is %q, want %q", text, got, want)
		}
	}
}
