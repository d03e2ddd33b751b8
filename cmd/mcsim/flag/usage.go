package flag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/sim/names"
)

// Error says what is wrong with a flag in one clear line.
func Error(c *cobra.Command, err error) error {
	if value, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		cause := errors.Unwrap(value)
		if value.GetFlag().Value.Type() == "bool" {
			cause = fmt.Errorf("%q is neither true nor false", value.GetValue())
		}
		return fmt.Errorf("--%s: %w", value.GetFlag().Name, cause)
	}
	if lacking, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Errorf("--%s needs a value", lacking.GetFlag().Name)
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	dashes, known := "--", []string(nil)
	if unknown.GetSpecifiedShortnames() != "" {
		dashes = "-"
	}
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	return names.UnknownError{Kind: "flag", Name: dashes + unknown.GetSpecifiedName(), Names: known}
}

// Heard refuses to print what somebody wants to read to an output that was closed. Commands that judge
// or write files go on, since their exit code says enough.
func Heard(c *cobra.Command) error {
	wanted := c.Name() == "export" && c.Flags().Lookup("out").Value.String() == "" ||
		slices.Contains([]string{"advise", "completion", "cost", "explain", "models", "plan", "probe", "script"}, c.Name())
	for name, value := range map[string]string{"json": "true", "csv": "true", "junit": "-"} {
		f := c.Flags().Lookup(name)
		wanted = wanted || f != nil && f.Value.String() == value
	}
	if wanted && closed() {
		return errors.New("the standard output is closed, so that nobody would read what is printed")
	}
	return nil
}

// Takes refuses other than so many arguments, which are what it says.
func Takes(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch n := len(args); {
		case least <= n && n <= most:
			return nil
		case n == 0:
			return fmt.Errorf("%s takes %s", c.Name(), what)
		default:
			return fmt.Errorf("%s takes %s, but got %d: %s", c.Name(), what, n, strings.Join(args, ", "))
		}
	}
}

// NoArguments refuses any.
var NoArguments = Takes(0, 0, "no argument")

// Exclusive refuses that more than one of the flags is given.
func Exclusive(c *cobra.Command, names ...string) error {
	var given []string
	for _, name := range names {
		if c.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return fmt.Errorf("%s exclude each other", strings.Join(given, " and "))
	}
	return nil
}

// KnownCommand refuses the arguments of the program itself: whatever is no
// command.
func KnownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return names.UnknownError{Kind: "command", Name: args[0], Names: commandsOf(c)}
}

// commandsOf are the names of the commands below one.
func commandsOf(root *cobra.Command) []string {
	return names.Each(root.Commands(), (*cobra.Command).Name)
}

// HelpCommand is cobra's own, but for an error where nothing has the name.
func HelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "print what a command does and its flags",
		Example: `  mcsim help
  mcsim help probe`,
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandsOf(c.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if len(rest) > 0 || err != nil {
				return cmp.Or(KnownCommand(c.Root(), rest), err)
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}

// Distinct drops what was named before.
func Distinct(names []string) []string {
	var out []string
	for _, name := range names {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
