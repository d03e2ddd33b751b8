package flag

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// columns is how many characters a line about a flag has at most.
const columns = 80

// Use prints how a command is used, its examples and its flags group by group. It is what
// follows the description in help.
func Use(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", synopsis(c))
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	groups := c.Groups()
	if len(groups) == 0 && c.HasAvailableSubCommands() {
		groups = []*cobra.Group{{Title: "Commands"}}
	}
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s:\n", g.Title)
		for _, sub := range shown(c) {
			if sub.GroupID == g.ID {
				fmt.Fprintf(&b, "  %-*s %s\n", c.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	titles, sets := Grouped(c.LocalFlags())
	for i, title := range titles {
		fmt.Fprintf(&b, "\n%s:\n%s", title, sets[i].FlagUsagesWrapped(columns))
	}
	if c.HasAvailableSubCommands() {
		path := strings.Replace(c.CommandPath(), c.Root().Name(), c.Root().Name()+" help", 1)
		fmt.Fprintf(&b, "\n`%s COMMAND` says more of a command.\n", path)
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// synopsis is a command with what it takes.
func synopsis(c *cobra.Command) string {
	if c.HasAvailableSubCommands() {
		return c.CommandPath() + " COMMAND"
	}
	return c.UseLine()
}

// shown are the commands below one that help shows.
func shown(c *cobra.Command) (found []*cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			found = append(found, sub)
		}
	}
	return found
}
