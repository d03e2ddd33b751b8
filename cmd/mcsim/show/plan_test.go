package show

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"mcsim/sim/names"
	"mcsim/sim/schedule"
)

func TestLasting(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "less than 0.5 s", 200 * time.Millisecond: "less than 0.5 s", 1234 * time.Millisecond: "about 1 s", 7100 * time.Millisecond: "about 7 s",
		22 * time.Second: "about 22 s", 45 * time.Second: "about 45 s", 59800 * time.Millisecond: "about 1 min", 63 * time.Second: "about 1 min",
		75400 * time.Millisecond: "about 1.5 min", 45 * time.Minute: "about 45 min",
		2*time.Hour + 28*time.Minute + 16*time.Second: "about 2.5 h", 18 * time.Hour: "about 18 h",
		24 * time.Hour: "about 1 day", 50 * time.Hour: "about 2 days", 364 * 24 * time.Hour: "about 364 days", math.MaxInt64: "over a year",
	} {
		if got := Lasting(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

// What a plan prints fits a screen, however much it draws for however long.
func TestPlanWidth(t *testing.T) {
	o := &schedule.Outline{Cells: 999_999, Variants: 999_999, Components: 1.1e21, Seconds: 1e9, Workers: 128, Gates: 99_999, Alpha: 1e-6, Beta: 1e-6}
	for _, name := range []string{names.ExperimentVariance, names.ExperimentCalibration} {
		for _, samples := range []int64{1, 999_999_999, 1 << 50} {
			o.Experiments = append(o.Experiments, schedule.ExperimentLine{Experiment: name, Cells: 99_999, Variants: 999_999, Samples: samples, Unit: "component", Seconds: 1e9, Gates: 99_999})
		}
	}
	o.Experiments = append(o.Experiments, schedule.ExperimentLine{Experiment: names.ExperimentExponents, Reads: names.ExperimentVariance, Variants: 999_999, Gates: 99_999})
	var b strings.Builder
	Plan(&b, "plan default", o, false)
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > Width || strings.HasSuffix(line, " ") {
			t.Errorf("%d columns: %q", utf8.RuneCountInString(line), line)
		}
	}
}
