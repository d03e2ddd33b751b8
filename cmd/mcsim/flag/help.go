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
	titles, sets := Grouped(c.LocalFlags())
	for i, title := range titles {
		fmt.Fprintf(&b, "\n%s:\n%s", title, sets[i].FlagUsagesWrapped(columns))
	}
	if c.HasSubCommands() {
		fmt.Fprintf(&b, "\n`mcsim help COMMAND` says more of a command.\n")
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}
