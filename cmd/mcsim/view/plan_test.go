package view

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
)

// TestFormatDuration checks that short durations are rounded to seconds, and long ones to minutes.
func TestFormatDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "about 0s", 1234 * time.Millisecond: "about 1s", 59800 * time.Millisecond: "about 1m0s",
		45 * time.Minute: "about 45m",
		2*time.Hour + 28*time.Minute + 16*time.Second: "about 2h28m", 24 * time.Hour: "about 24h0m",
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("FormatDuration(%v) = %q, want %q", d, got, want)
		}
	}
}

// TestPlanWidth checks that the outline of any plan fits a screen, even for large numbers and long
// times.
func TestPlanWidth(t *testing.T) {
	o := &schedule.Outline{Cells: 999_999, Variants: 999_999, Components: 1.1e21, Seconds: 1e8, Workers: 128,
		Gates: 99_999, Alpha: 1e-6, Beta: 1e-6}
	for _, name := range []string{names.ExperimentVariance, names.ExperimentCalibration} {
		for _, samples := range []int64{1, 999_999_999, 1 << 50} {
			o.Experiments = append(o.Experiments,
				schedule.ExperimentLine{Experiment: name, Cells: 99_999, Variants: 999_999, Samples: samples,
					Unit: "component", Seconds: 1e8, Gates: 99_999})
		}
	}
	o.Experiments = append(o.Experiments, schedule.ExperimentLine{Experiment: names.ExperimentExponents,
		Reads: names.ExperimentVariance, Variants: 999_999, Gates: 99_999})
	var b strings.Builder
	Plan(&b, "plan default", o, false)
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSuffix(line, "\n")
		if width := utf8.RuneCountInString(line); width > show.Width {
			t.Errorf("a line has %d columns, want at most %d: %q", width, show.Width, line)
		}
		if strings.HasSuffix(line, " ") {
			t.Errorf("a line ends with a space: %q", line)
		}
	}
}
