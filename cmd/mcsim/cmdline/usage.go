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

// Exclude lets the first flag exclude each of the others.
func Exclude(c *cobra.Command, flag string, others ...string) {
	for _, other := range others {
		c.MarkFlagsMutuallyExclusive(flag, other)
	}
}

// ClarifyError shortens cobra's error for flags that exclude each other, and adds the command to an
// error about the number of arguments.
func ClarifyError(c *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	_, flags, isExclusive := strings.Cut(err.Error(), "are set none of the others can be; [")
	if isExclusive {
		flags, _, _ = strings.Cut(flags, "]")
		return fmt.Errorf("--%s exclude each other", strings.Join(strings.Fields(flags), " and --"))
	}
	if strings.Contains(err.Error(), " arg(s), ") {
		return fmt.Errorf("%s: %w", c.Name(), err)
	}
	return err
}

// KnownCommand refuses arguments of the program itself, which are not commands.
func KnownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return names.UnknownError{Kind: "command", Name: args[0], Names: commandNames(c)}
}

func commandNames(root *cobra.Command) []string {
	return names.Each(root.Commands(), (*cobra.Command).Name)
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
