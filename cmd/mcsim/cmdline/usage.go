package cmdline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/sim/names"
)

// FlagError rewrites an error of pflag as one line that names the flag.
func FlagError(c *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		cause := errors.Unwrap(invalid)
		if invalid.GetFlag().Value.Type() == "bool" {
			cause = fmt.Errorf("%q is neither true nor false", invalid.GetValue())
		}
		return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, cause)
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Errorf("--%s needs a value", missing.GetFlag().Name)
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	dashes := "--"
	if unknown.GetSpecifiedShortnames() != "" {
		dashes = "-"
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	return names.UnknownError{Kind: "flag", Name: dashes + unknown.GetSpecifiedName(), Names: known}
}

// RefuseEmpty refuses an empty text or list as the value of a flag, as from a variable of the
// shell that is not set: the command would take the flag as not given.
func RefuseEmpty(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		list, isList := f.Value.(pflag.SliceValue)
		isEmptyList := isList && len(list.GetSlice()) == 0
		isEmptyText := f.Value.Type() == "string" && strings.TrimSpace(f.Value.String()) == ""
		if err == nil && (isEmptyList || isEmptyText) {
			err = fmt.Errorf("--%s is empty", f.Name)
		}
	})
	return err
}

// excludes is the annotation of a flag with the flags that it excludes.
const excludes = "mcsim_excludes"

// Exclude lets the first flag exclude each of the others; see RefuseExclusive.
func Exclude(c *cobra.Command, flag string, others ...string) {
	f := c.Flags().Lookup(flag)
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[excludes] = append(f.Annotations[excludes], others...)
	for _, other := range others {
		c.MarkFlagsMutuallyExclusive(flag, other) // for completion
	}
}

// RefuseExclusive refuses flags that exclude each other.
func RefuseExclusive(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		for _, other := range f.Annotations[excludes] {
			if err == nil && c.Flags().Changed(other) {
				err = fmt.Errorf("--%s and --%s exclude each other", f.Name, other)
			}
		}
	})
	return err
}

// RequireArgs refuses a number of arguments outside [min, max]; wanted says what the command takes.
func RequireArgs(min, max int, wanted string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch n := len(args); {
		case min <= n && n <= max:
			return nil
		case n == 0:
			return fmt.Errorf("%s takes %s", c.Name(), wanted)
		default:
			return fmt.Errorf("%s takes %s, but got %d: %s", c.Name(), wanted, n, strings.Join(args, ", "))
		}
	}
}

// NoArgs refuses arguments, and OneResults more than one.
var (
	NoArgs     = RequireArgs(0, 0, "no argument")
	OneResults = RequireArgs(0, 1, "one folder or file of results")
)

// KnownCommand refuses arguments of the program itself, which are not commands.
func KnownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return names.UnknownError{Kind: "command", Name: args[0], Names: commandNames(c)}
}

func commandNames(root *cobra.Command) []string {
	return names.Map(root.Commands(), (*cobra.Command).Name)
}

// Distinct returns the texts without repetitions.
func Distinct(texts []string) []string {
	var distinct []string
	for _, text := range texts {
		if !slices.Contains(distinct, text) {
			distinct = append(distinct, text)
		}
	}
	return distinct
}
