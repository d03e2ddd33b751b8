package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

// corrections fixes two faults in the scripts of cobra 1.10. The value of a flag may contain an
// equals sign, such as --set=distribution=normal. In zsh and fish, cobra's pattern takes
// --set=distribution= as the flag. In fish, the command "string split" also takes a line that
// begins with -- as an option.
var corrections = strings.NewReplacer(
	"'-.*='", "'^-[^=]*='",
	`string split --max 1 \t $`, `string split --max 1 -- \t $`,
)

// generateScript returns the completion script for a shell.
func generateScript(root *cobra.Command, shell string) (string, error) {
	var b strings.Builder
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&b, true)
	case "zsh":
		err = root.GenZshCompletion(&b)
	case "fish":
		err = root.GenFishCompletion(&b, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&b)
	}
	return corrections.Replace(b.String()), err
}

func newCompletionCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "completion " + strings.Join(shells, "|"),
		ValidArgs: shells, Args: cmdline.RequireArgs(1, 1, "one shell: "+strings.Join(shells, ", ")),
		RunE: func(c *cobra.Command, args []string) error {
			if err := cmdline.RefuseUnknown("shell", args[0], shells); err != nil {
				return err
			}
			text, err := generateScript(c.Root(), args[0])
			if err == nil {
				_, err = io.WriteString(c.OutOrStdout(), text)
			}
			return err
		},
	}
}
