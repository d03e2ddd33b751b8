package cmdline

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/show"
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

// printHelp prints the help of a command. Usage and examples follow the first paragraph of a
// description, so that they are on the first screen; only the root command has them at the end.
func printHelp(c *cobra.Command, _ []string) {
	w := c.OutOrStdout()
	intro, details, _ := strings.Cut(c.Long, "\n\n")
	if c.HasSubCommands() {
		intro, details = c.Long, ""
	}
	show.Reflow(w, intro)
	fmt.Fprintf(w, "\nUsage:\n  %s\n", c.UseLine())
	if c.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	if details != "" {
		fmt.Fprintln(w)
		show.Reflow(w, details)
	}
	for _, g := range c.Groups() {
		fmt.Fprintf(w, "\n%s:\n", g.Title)
		for _, sub := range c.Commands() {
			if sub.GroupID == g.ID {
				const gap = 3 // two spaces before the name and one after it
				show.Paragraph(w, fmt.Sprintf("  %-*s ", c.NamePadding(), sub.Name()), c.NamePadding()+gap, sub.Short)
			}
		}
	}
	for _, set := range GroupFlags(c.LocalFlags()) {
		fmt.Fprintf(w, "\n%s:\n%s", set.Name(), set.FlagUsagesWrapped(show.WidthOf(w)))
	}
	if c.HasSubCommands() {
		fmt.Fprintf(w, "\n`mcsim help COMMAND` describes a command.\n")
	}
}
