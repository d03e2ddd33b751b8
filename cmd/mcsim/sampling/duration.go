package sampling

import (
	"fmt"
	"io"
	"strings"
	"time"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/show"
	"mcsim/cmd/mcsim/view"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/kernel"
)

// Longest sampling times that are not announced.
const (
	maxSilentAnswer = 10 * time.Second // for commands whose answer a user waits for
	maxSilentPlan   = 2 * time.Minute  // for plans, which run while a user does other work
)

// PrintDuration prints the expected time for drawing the samples of a schedule that the nodes lack.
// It prints nothing if the time is at most maxSilentAnswer.
func PrintDuration(status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int) {
	if duration := describeDuration(status, s, nodes, workers, maxSilentAnswer); duration != "" {
		program.Printf(status, "sampling takes %s", duration)
	}
}

// PrintPlanDuration prints the expected time for drawing the samples of a plan that the nodes lack,
// and suggests a shorter run. It prints nothing if the time is at most maxSilentPlan.
// drawnProportion is the proportion of the samples that were drawn before.
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
		return "" // nobody would read the duration, and its estimate takes time
	}
	duration, ok := s.Duration(threshold, nodes, workers)
	if !ok {
		return ""
	}
	cores := show.FormatCount(schedule.Cores(workers), "core")
	return fmt.Sprintf("%s on %s here (kernel %s)", view.FormatDuration(duration), cores, kernel.Name())
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
