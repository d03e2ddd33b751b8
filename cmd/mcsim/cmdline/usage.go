package cmdline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// NewRootCommand returns the command mcsim without subcommands.
func NewRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "mcsim COMMAND",
		SilenceErrors: true, SilenceUsage: true, DisableFlagsInUseLine: true,
		Args: RefuseUnknownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },

		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if err := refuseEmpty(c); err != nil {
				return err
			}
			if err := refuseExclusive(c); err != nil {
				return err
			}
			return kernel.CheckSelection()
		},
	}
	AddHelp(root)
	root.SetFlagErrorFunc(rewriteFlagError)
	root.SetHelpFunc(printHelp)
	return root
}

// rewriteFlagError rewrites an error of pflag as one line that names the flag.
func rewriteFlagError(c *cobra.Command, err error) error {
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

// refuseEmpty returns an error if a given flag has an empty text or an empty list as its value. An
// empty value often comes from an unset variable of the shell, and the command would ignore the
// flag.
func refuseEmpty(c *cobra.Command) (err error) {
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

// exclusionAnnotation is the key of a flag's annotation that lists the flags that it excludes.
const exclusionAnnotation = "mcsim_excludes"

// Exclude declares that the first flag excludes each of the others; see refuseExclusive.
func Exclude(c *cobra.Command, flag string, others ...string) {
	f := c.Flags().Lookup(flag)
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[exclusionAnnotation] = append(f.Annotations[exclusionAnnotation], others...)
	for _, other := range others {
		c.MarkFlagsMutuallyExclusive(flag, other) // for completion
	}
}

// refuseExclusive returns an error if flags are given that exclude each other.
func refuseExclusive(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		for _, other := range f.Annotations[exclusionAnnotation] {
			if err == nil && c.Flags().Changed(other) {
				err = fmt.Errorf("--%s and --%s exclude each other", f.Name, other)
			}
		}
	})
	return err
}

// RequireArgs returns a function that returns an error if the number of arguments is not in
// [minArgs, maxArgs]. expected describes the arguments in the error.
func RequireArgs(minArgs, maxArgs int, expected string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch n := len(args); {
		case minArgs <= n && n <= maxArgs:
			return nil
		case n == 0:
			return fmt.Errorf("%s takes %s", c.Name(), expected)
		default:
			return fmt.Errorf("%s takes %s, but got %d: %s", c.Name(), expected, n, strings.Join(args, ", "))
		}
	}
}

// Checks of the number of arguments.
var (
	NoArgs          = RequireArgs(0, 0, "no argument")
	OptionalResults = RequireArgs(0, 1, "one folder or file of results")
)

// RefuseUnknownCommand returns an error if there are arguments. It checks the arguments that are
// left after cobra looked for a command; the first of them is then not the name of a command.
func RefuseUnknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return names.UnknownError{Kind: "command", Name: args[0], Names: commandNames(c)}
}

func commandNames(root *cobra.Command) []string {
	return names.Map(root.Commands(), (*cobra.Command).Name)
}

// RemoveDuplicates returns the distinct texts in the order of their first occurrence.
func RemoveDuplicates(texts []string) []string {
	var distinct []string
	for _, text := range texts {
		if !slices.Contains(distinct, text) {
			distinct = append(distinct, text)
		}
	}
	return distinct
}
