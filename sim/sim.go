package sim

import (
	"context"

	"mcsim/sim/document"
	"mcsim/sim/plan"
	"mcsim/sim/result"
	"mcsim/sim/run"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
	"mcsim/sim/verify"
)

// Run draws a plan on the given number of workers, which cannot change the
// result, and returns its document, with every gate judged. It ends early, with the
// context's error, between two blocks of draws.
func Run(ctx context.Context, p *plan.Plan, workers int) (*result.Document, error) {
	s, err := schedule.New(p)
	if err != nil {
		return nil, err
	}
	nodes := store.New(run.Origin(p))
	if err := run.Draw(ctx, s, nodes, run.Options{Workers: workers}); err != nil {
		return nil, err
	}
	return document.Build(s, nodes)
}

// Verify judges a document again from its rows alone. It draws nothing; the error
// says that the document's plan is not one.
func Verify(doc *result.Document) (*verify.Judgement, error) { return verify.Document(doc) }
