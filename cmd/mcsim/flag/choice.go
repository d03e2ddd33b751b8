package flag

import (
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

// choices are some of a list of names, each once.
type choices struct {
	to    *[]string
	kind  string
	of    []string
	given bool // else they are the default
}

func (c *choices) Type() string   { return listed }
func (c *choices) String() string { return strings.Join(*c.to, ",") }

func (c *choices) Set(text string) error {
	if !c.given {
		c.given, *c.to = true, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		if err := OneOf(c.kind, name, c.of); err != nil {
			return err
		}
		*c.to = Distinct(append(*c.to, name))
	}
	return nil
}

// Choices makes a flag that takes several names with commas between.
func Choices(c *cobra.Command, to *[]string, name, usage string, of []string) {
	c.Flags().Var(&choices{to: to, kind: name, of: of}, name, usage)
	Offer(c, name, of...)
}
