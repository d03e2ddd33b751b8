package cmdline

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// texts has the help of each command in a file with its name.
//
//go:embed help/*.txt
var texts embed.FS

// AddHelp sets the summary, the description and the examples of a command from help/NAME.txt. A
// description that the command has itself follows that of the file.
func AddHelp(c *cobra.Command) {
	text, err := texts.ReadFile("help/" + c.Name() + ".txt")
	if err != nil {
		panic(err) // every command has a help text
	}
	short, rest, _ := strings.Cut(string(text), "\n\n")
	description, examples, _ := strings.Cut(rest, "Examples:\n")
	c.Short = short
	c.Long = strings.TrimSpace(description + c.Long)
	c.Example = strings.TrimRight(examples, "\n")
}

// HelpCommand returns a command like cobra's own that fails if there is no command of the name.
func HelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		ValidArgsFunction: completeCommand,
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if len(rest) > 0 {
				return KnownCommand(c.Root(), rest)
			}
			if err != nil {
				return err
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}

// completeCommand completes the name of one command.
func completeCommand(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return commandNames(c.Root()), cobra.ShellCompDirectiveNoFileComp
}

// columns is the largest width of a line about a flag.
const columns = 80

// PrintUsage prints how a command is used, its examples, and its flags group by group. It follows
// the description in help.
func PrintUsage(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	for _, g := range c.Groups() {
		fmt.Fprintf(&b, "\n%s:\n", g.Title)
		for _, sub := range c.Commands() {
			if sub.GroupID == g.ID {
				fmt.Fprintf(&b, "  %-*s %s\n", c.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	for _, set := range Groups(c.LocalFlags()) {
		fmt.Fprintf(&b, "\n%s:\n%s", set.Name(), set.FlagUsagesWrapped(columns))
	}
	if c.HasSubCommands() {
		fmt.Fprintf(&b, "\n`mcsim help COMMAND` says more of a command.\n")
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}
