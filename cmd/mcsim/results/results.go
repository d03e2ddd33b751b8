// Package results has the commands that read results: they render, draw, export, judge and
// compare them, and judge by them what texts claim.
package results

import (
	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
)

// Commands are those of the package.
func Commands() []*cobra.Command {
	return []*cobra.Command{reportCommand(), figuresCommand(), exportCommand(), verifyCommand(), compareCommand(), claimsCommand()}
}

// oneOfResults refuses more than one argument of a command.
func oneOfResults(c *cobra.Command, args []string) error {
	return flag.OneAtMost("folder or file of results")(c, args)
}
