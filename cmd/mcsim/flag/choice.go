package flag

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/sim/names"
)

// OneOf refuses a name that is not in a list.
func OneOf(kind, name string, all []string) error {
	if slices.Contains(all, name) {
		return nil
	}
	return names.UnknownError{Kind: kind, Name: name, Names: all}
}

// Choice makes a flag that takes one of some names, of which shells complete each.
func Choice(c *cobra.Command, to *string, name, usage string, of []string) {
	c.Flags().Var(&reader{text: *to, set: func(text string) error {
		*to = text
		return OneOf(name, text, of)
	}}, name, usage+": "+strings.Join(of, ", "))
	Offer(c, name, of...)
}

// Choices makes a flag that takes several names with commas between, of which shells complete
// each. [OnlyOf] refuses what is not in the list.
func Choices(c *cobra.Command, to *[]string, name, usage string, of []string) {
	c.Flags().StringSliceVar(to, name, *to, usage)
	Offer(c, name, of...)
}

// OnlyOf refuses names of a flag that are not in a list.
func OnlyOf(name, kind string, given, of []string) error {
	for _, text := range given {
		if err := OneOf(kind, text, of); err != nil {
			return fmt.Errorf("--%s: %w", name, err)
		}
	}
	return nil
}
