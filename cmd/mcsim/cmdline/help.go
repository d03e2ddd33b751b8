package cmdline

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// helpTexts has one file for each command; see AddHelp for its format.
//
//go:embed help/*.txt
var helpTexts embed.FS

// AddHelp sets the summary, the description and the examples of a command from help/NAME.txt. The
// file has the summary, an empty line, the description, a line "Examples:", and the examples.
// AddHelp appends the command's existing Long text to the description.
func AddHelp(c *cobra.Command) {
	text, err := helpTexts.ReadFile("help/" + c.Name() + ".txt")
	if err != nil {
		panic(err) // every command has a help text
	}
	short, rest, _ := strings.Cut(string(text), "\n\n")
	description, examples, _ := strings.Cut(rest, "Examples:\n")
	c.Short = short
	c.Long = strings.TrimSpace(description + c.Long)
	c.Example = strings.TrimRight(examples, "\n")
}

// NewHelpCommand returns a help command that, unlike cobra's, fails if the requested command does
// not exist.
func NewHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		ValidArgsFunction: completeCommand,
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if len(rest) > 0 {
				return RefuseUnknownCommand(c.Root(), rest)
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

// completeCommand completes the name of a command.
func completeCommand(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return commandNames(c.Root()), cobra.ShellCompDirectiveNoFileComp
}

// maxColumns is the largest width of a line in the list of flags.
const maxColumns = 80

// PrintUsage prints the usage of a command, its examples, its subcommands, and its flags by groups.
// The help of the command has this text after the description.
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
	for _, set := range GroupFlags(c.LocalFlags()) {
		fmt.Fprintf(&b, "\n%s:\n%s", set.Name(), set.FlagUsagesWrapped(maxColumns))
	}
	if c.HasSubCommands() {
		fmt.Fprintf(&b, "\n`mcsim help COMMAND` describes a command.\n")
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}
