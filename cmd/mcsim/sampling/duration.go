package sampling

import (
	"fmt"
	"io"
	"strings"
	"time"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/kernel"
)

// Longest sampling times that are not announced. A user waits for an answer, but leaves a plan alone.
const (
	maxSilentAnswer = 10 * time.Second
	maxSilentPlan   = 2 * time.Minute
)

// PrintDuration prints the expected time to draw the samples of a schedule that the nodes lack, if
// it is long.
func PrintDuration(status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int) {
	if duration := describeDuration(status, s, nodes, workers, maxSilentAnswer); duration != "" {
		program.Printf(status, "sampling takes %s", duration)
	}
}

// PrintPlanDuration prints the expected time to draw the rest of a plan, of which a proportion was
// drawn before, if it is long. It also suggests how to shorten it.
func PrintPlanDuration(
	status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int, drawnProportion float64,
) {
	duration := describeDuration(status, s, nodes, workers, maxSilentPlan)
	if duration == "" {
		return
	}
	subject := s.Plan.Title()
	if drawnProportion > 0 || len(s.Plan.Selection) > 0 {
		subject = "the missing part of " + subject
	}
	program.Printf(status, "%s takes %s; %s", subject, duration, describeShorterRun(s))
}

// describeDuration returns the expected sampling time on this machine. It is empty if the time is
// at most threshold, or if the status is discarded.
func describeDuration(
	status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int, threshold time.Duration,
) string {
	if status == io.Discard {
		return "" // the estimate itself takes time
	}
	duration, ok := s.Duration(threshold, nodes, workers)
	if !ok {
		return ""
	}
	cores := show.FormatCount(schedule.Cores(workers), "core")
	return fmt.Sprintf("%s on %s here (kernel %s)", show.FormatDuration(duration), cores, kernel.Name())
}

// describeShorterRun suggests how to run a schedule in less time.
func describeShorterRun(s *schedule.Schedule) string {
	smaller := s.Plan.Smaller()
	if smaller == nil {
		return "--only, --set or a wider --tolerance shortens it"
	}
	command := "mcsim run " + smaller.Name
	if len(smaller.Selection) > 0 {
		command += " --only " + strings.Join(smaller.Selection, ",")
	}
	return fmt.Sprintf("`%s` takes less time, with wider tolerances", command)
}
