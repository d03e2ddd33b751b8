package flag

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// NotEmpty refuses a flag of a command that was given an empty text, or an empty list, as by a
// variable that is not set: the command would take it for a flag that was not given. Other
// values refuse an empty text themselves.
func NotEmpty(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		list, several := f.Value.(pflag.SliceValue)
		if several && len(list.GetSlice()) == 0 || f.Value.Type() == "string" && strings.TrimSpace(f.Value.String()) == "" {
			err = cmp.Or(err, fmt.Errorf("--%s is empty", f.Name))
		}
	})
	return err
}
