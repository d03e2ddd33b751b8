package flag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wanted says in words what the values are that usage calls by a name.
var wanted = map[string]string{
	"DIR": "a folder, such as out", "FILE": "a file", "NAME": "a name", "ID": "the name of a figure", "KIND": "a kind", "RULE": "a rule, such as sqrt(d_k)",
	"PLAN": "a YAML file or the name of a ready plan", "EXPERIMENTS": "experiments of the plan, such as variance,exponents",
}

// NotEmpty refuses a flag of a command that was given an empty text, or a list with one in
// it: the command would take it for a flag that was not given.
func NotEmpty(c *cobra.Command) error {
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		name, _ := pflag.UnquoteUsage(f)
		wants := cmp.Or(wanted[name], strings.ToLower(name))
		switch given := strings.Trim(f.Value.String(), "[]"); {
		case err != nil || !empty(f.Value):
		case strings.Trim(given, ", ") == "":
			err = fmt.Errorf("--%s is empty; it wants %s", f.Name, wants)
		default:
			err = fmt.Errorf("--%s: one of %s is empty; it wants %s", f.Name, given, wants)
		}
	})
	return err
}

// empty reports whether a text, or one of a list of texts, is empty. Other values refuse an
// empty text themselves.
func empty(v pflag.Value) bool {
	if list, ok := v.(pflag.SliceValue); ok {
		all := list.GetSlice()
		return len(all) == 0 || slices.Contains(all, "")
	}
	return v.Type() == "string" && strings.TrimSpace(v.String()) == ""
}
