package flag

import (
	"slices"

	"github.com/spf13/pflag"
)

// Group is a part of what a command's help says of its flags.
type Group struct {
	Title string
	names []string // of its flags, in any command that has them
}

// groups are all of them in the order of help. Flags of the axes of experiments are in the
// first by themselves.
var groups = []Group{
	{"What is asked", []string{"only", "set", "model", "init-sd", "scale", "heads", "kv-heads", "norm", "keys", "d-model", "d-k", "d-v", "bytes", "causal",
		"q", "k", "paired", "wq", "wk", "layout", "order", "tower", "x", "row", "experiment", "quantity", "where", "figure", "shard", "parts", "status", "forget", "file", "source", "verdict"}},
	{"How it is drawn", []string{"samples", "draws", "rel-se", "seed", "attempt", "max-cells", "workers", "time", "partition", "mem", "max-array", "image", "claim", "namespace", "parallelism", "fresh", "redraw"}},
	{"How it is judged", []string{"check", "gate", "plan", "tolerance", "alpha", "beta", "strict"}},
	{"Output", []string{"out", "shards", "format", "style", "width", "templates", "tidy", "latex", "columns", "schema", "show", "markdown", "junit", "map", "rows", "json", "csv", "all", "quiet", "version", "help"}},
}

// In reports whether a flag is in the group.
func (g Group) In(f *pflag.Flag) bool {
	if _, axis := f.Value.(*Axis); axis {
		return g.Title == groups[0].Title
	}
	return slices.Contains(g.names, f.Name)
}

// Grouped are the flags of a command that help shows, as sets by their groups, those of none
// left out.
func Grouped(flags *pflag.FlagSet) (titles []string, sets []*pflag.FlagSet) {
	for _, g := range groups {
		set := pflag.NewFlagSet(g.Title, pflag.ContinueOnError)
		set.SortFlags = flags.SortFlags
		flags.VisitAll(func(f *pflag.Flag) {
			if g.In(f) && !f.Hidden {
				set.AddFlag(f)
			}
		})
		if set.HasFlags() {
			titles, sets = append(titles, g.Title), append(sets, set)
		}
	}
	return titles, sets
}
