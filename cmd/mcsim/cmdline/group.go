package cmdline

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// flagGroup is a section of the list of flags in the help of a command.
type flagGroup struct {
	title     string
	flagNames string // separated by spaces
}

// flagGroups lists all sections in the order of the help. In addition to the listed flags, the
// first section has the flags of the axes of experiments.
var flagGroups = []flagGroup{
	{"Subject", `only set model init-sd scale heads kv-heads norm keys d-model d-k d-v bytes causal q k by paired sink
		wq wk layout order tower x row experiment quantity where figure shard parts status forget file source verdict
		values-format operands queries`},
	{"Sampling", `samples draws rel-se seed attempt max-cells workers time partition mem max-array image
		claim namespace parallelism fresh redraw`},
	{"Checks", "check gate gate-max gate-entropy plan tolerance alpha beta strict"},
	{"Output", `out shards format style theme width font-size templates tidy latex columns schema show markdown junit summary map rows json
		csv all quiet version help`},
}

// shownBool is the value of a Boolean flag in help. It lacks the method by which pflag recognises
// such a flag, so that pflag does not add "[=true|false]" to its name.
type shownBool struct{ pflag.Value }

// GroupFlags returns the visible flags of a command as one set for each group that has any. The
// name of a set is the title of the group.
func GroupFlags(flags *pflag.FlagSet) (sets []*pflag.FlagSet) {
	for i, g := range flagGroups {
		set := pflag.NewFlagSet(g.title, pflag.ContinueOnError)
		set.SortFlags = flags.SortFlags
		members := strings.Fields(g.flagNames)
		flags.VisitAll(func(f *pflag.Flag) {
			_, isAxis := f.Value.(*Axis)
			isMember := slices.Contains(members, f.Name)
			if isAxis {
				isMember = i == 0
			}
			if isMember && !f.Hidden {
				shown := *f
				if f.Value.Type() == "bool" {
					shown.Value, shown.NoOptDefVal = shownBool{f.Value}, ""
				}
				set.AddFlag(&shown)
			}
		})
		if set.HasFlags() {
			sets = append(sets, set)
		}
	}
	return sets
}
