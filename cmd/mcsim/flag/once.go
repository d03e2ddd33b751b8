package flag

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// once is a value that may be given one time.
type once struct {
	pflag.Value
	given *string // nil: not yet
}

// Set refuses a second value, of which the command would know nothing but that it is the last.
func (o *once) Set(text string) error {
	if o.given != nil {
		return fmt.Errorf("%q is a second value, after %q; give it once", text, *o.given)
	}
	o.given = &text
	return o.Value.Set(text)
}

// Once makes every flag of a command, and of those below it, refuse a second value, but for
// those that take several or say so themselves, and those that are on or off.
func Once(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Value.(type) {
		case *Axis, *choices, pflag.SliceValue:
			return
		}
		if f.NoOptDefVal == "" {
			f.Value = &once{Value: f.Value}
		}
	})
	for _, sub := range c.Commands() {
		Once(sub)
	}
}
