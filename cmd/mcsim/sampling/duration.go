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

// Times above which a command says beforehand how long it takes: a user waits for an answer, and
// looks after a plan later.
const (
	longAnswer = 10 * time.Second
	longPlan   = 2 * time.Minute
)

// PrintDuration says how long it takes to draw what the nodes lack of a schedule, if that is long.
func PrintDuration(status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int) {
	if duration := estimate(status, s, nodes, workers, longAnswer); duration != "" {
		program.Printf(status, "what is to be drawn takes %s", duration)
	}
}

// PrintPlanDuration says how long it takes to draw the rest of a plan, of which a proportion was drawn
// before, if that is long. It also says what takes less time.
func PrintPlanDuration(status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int, drawnBefore float64) {
	duration := estimate(status, s, nodes, workers, longPlan)
	if duration == "" {
		return
	}
	subject := s.Plan.Title()
	if drawnBefore > 0 || len(s.Plan.Selection) > 0 {
		subject = "what is to be drawn of " + subject
	}
	program.Printf(status, "%s takes %s; %s", subject, duration, shorterRun(s))
}

// estimate says how long sampling takes on this machine; empty if that is at most long, or if the
// status is discarded.
func estimate(status io.Writer, s *schedule.Schedule, nodes *store.Store, workers int, long time.Duration) string {
	if status == io.Discard {
		return "" // since the estimate itself takes time
	}
	duration, ok := s.Duration(long, nodes, workers)
	if !ok {
		return ""
	}
	cores := show.Counted(schedule.Cores(workers), "core")
	return fmt.Sprintf("%s on %s here (kernel %s)", show.Duration(duration), cores, kernel.Name())
}

// shorterRun says what takes less time than a schedule.
func shorterRun(s *schedule.Schedule) string {
	smaller := s.Plan.Smaller()
	if smaller == nil {
		return "less is drawn with --only, --set or a wider --tolerance"
	}
	command := "mcsim run " + smaller.Name
	if len(smaller.Selection) > 0 {
		command += " --only " + strings.Join(smaller.Selection, ",")
	}
	return fmt.Sprintf("`%s` takes less and judges with wider tolerances", command)
}
