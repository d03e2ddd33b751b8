package flag

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// listed is the type of a flag that takes several texts with commas between.
const listed = "stringSlice"

// Offer lets shells complete the values of a flag. Of a flag that takes several with commas
// between, they complete each.
func Offer(c *cobra.Command, name string, values ...string) {
	several := c.Flags().Lookup(name).Value.Type() == listed
	OfferBy(c, name, func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if several {
			return Listed(values, typed), cobra.ShellCompDirectiveNoFileComp
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	})
}

// AddAxis makes the flag of an axis, whose names shells complete. That of the distribution can
// be given as --dist.
func AddAxis(c *cobra.Command, a *experiment.Axis, usage string) *Axis {
	to := &Axis{Axis: a}
	c.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "dist" {
			name = names.ParamDistribution
		}
		return pflag.NormalizedName(name)
	})
	if a.Name == names.ParamDistribution {
		usage += "; --dist for short"
	}
	c.Flags().Var(to, a.Flag(), usage)
	if a.Names != nil {
		Offer(c, a.Flag(), a.Names()...)
	}
	return to
}

// OfferPaths lets shells complete the flags of a command that take a folder DIR or a FILE.
func OfferPaths(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		switch kind, _ := pflag.UnquoteUsage(f); kind {
		case "DIR":
			mustOffer(cobra.MarkFlagDirname(c.Flags(), f.Name))
		case "FILE":
			OfferBy(c, f.Name, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault))
		}
	})
}

// OfferBy lets shells complete what a function finds.
func OfferBy(c *cobra.Command, name string, find cobra.CompletionFunc) {
	mustOffer(c.RegisterFlagCompletionFunc(name, find))
}

func mustOffer(err error) {
	if err != nil {
		panic(err) // the program asks for a flag that it does not make
	}
}

// Listed completes the last of some values with commas between: those that are not yet there.
func Listed(values []string, typed string) (found []cobra.Completion) {
	done := typed[:strings.LastIndex(typed, ",")+1]
	for _, v := range values {
		if !slices.Contains(strings.Split(done, ","), v) {
			found = append(found, done+v)
		}
	}
	return found
}

// FilesOnce completes so many arguments by folders and by files with an end.
func FilesOnce(most int, ends ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return ends, cobra.ShellCompDirectiveFilterFileExt
	}
}
