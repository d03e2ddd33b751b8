package cmdline

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// group is a part of what help says of the flags of a command.
type group struct {
	title string
	flags string // names, separated by spaces
}

// groups are all parts in the order of help. Flags of the axes of experiments belong to the first.
var groups = []group{
	{"What is asked", `only set model init-sd scale heads kv-heads norm keys d-model d-k d-v bytes causal q k paired
		wq wk layout order tower x row experiment quantity where figure shard parts status forget file source verdict`},
	{"How it is drawn", `samples draws rel-se seed attempt max-cells workers time partition mem max-array image
		claim namespace parallelism fresh redraw`},
	{"How it is judged", "check gate plan tolerance alpha beta strict"},
	{"Output", `out shards format style width templates tidy latex columns schema show markdown junit map rows json
		csv all quiet version help`},
}

// Groups returns the visible flags of a command as sets with the titles of their groups.
func Groups(flags *pflag.FlagSet) (sets []*pflag.FlagSet) {
	for i, g := range groups {
		set := pflag.NewFlagSet(g.title, pflag.ContinueOnError)
		set.SortFlags = flags.SortFlags
		members := strings.Fields(g.flags)
		flags.VisitAll(func(f *pflag.Flag) {
			_, isAxis := f.Value.(*Axis)
			isMember := slices.Contains(members, f.Name)
			if isAxis {
				isMember = i == 0
			}
			if isMember && !f.Hidden {
				set.AddFlag(f)
			}
		})
		if set.HasFlags() {
			sets = append(sets, set)
		}
	}
	return sets
}
