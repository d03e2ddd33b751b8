package manual

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/show"
)

// Flags lists the flags of all commands below one by their names, each with what it does.
func Flags(root *cobra.Command) (found []show.Flag) {
	for _, c := range every(root) {
		name := strings.TrimPrefix(c.CommandPath(), root.Name()+" ")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			_, help := pflag.UnquoteUsage(f)
			i := slices.IndexFunc(found, func(other show.Flag) bool { return other.Name == f.Name && other.Help == help })
			switch {
			case f.Hidden || f.Name == "help":
			case i < 0:
				found = append(found, show.Flag{Name: f.Name, Help: help, Commands: []string{name}})
			default:
				found[i].Commands = append(found[i].Commands, name)
			}
		})
	}
	slices.SortStableFunc(found, func(a, b show.Flag) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// every lists the commands that users see below one, those below them behind them.
func every(of *cobra.Command) (found []*cobra.Command) {
	for _, c := range of.Commands() {
		if !c.Hidden && c.IsAvailableCommand() {
			found = append(append(found, c), every(c)...)
		}
	}
	return found
}

// Commands lists the commands below one, each with what it does.
func Commands(root *cobra.Command) (found []show.Command) {
	for _, c := range every(root) {
		found = append(found, show.Command{Name: strings.TrimPrefix(c.CommandPath(), root.Name()+" "), Help: c.Short})
	}
	return found
}
