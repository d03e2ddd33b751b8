package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
)

// shells are those that completions can be had for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// What cobra 1.10 writes for zsh and fish is wrong of a value that has a sign of equality
// itself, as that of --set=distribution=normal: it takes --set=distribution= for the flag, so that the line
// becomes --set=distribution=distribution=normal; and fish takes a line that begins with -- for an option of
// its string split.
var mended = strings.NewReplacer(
	"'-.*='", "'^-[^=]*='",
	`string split --max 1 \t $`, `string split --max 1 -- \t $`,
)

// completed is what a shell reads.
func completed(root *cobra.Command, shell string) (string, error) {
	var b strings.Builder
	err := map[string]func() error{
		"bash": func() error { return root.GenBashCompletionV2(&b, true) },
		"zsh":  func() error { return root.GenZshCompletion(&b) }, "fish": func() error { return root.GenFishCompletion(&b, true) },
		"powershell": func() error { return root.GenPowerShellCompletionWithDesc(&b) },
	}[shell]()
	return mended.Replace(b.String()), err
}

// completionCommand prints the completions for a shell.
func completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "completion " + strings.Join(shells, "|"),
		Short:     "print what a shell needs to complete commands, flags and values",
		ValidArgs: shells, Args: cmdline.Args(1, 1, "one shell: "+strings.Join(shells, ", ")),
		RunE: func(c *cobra.Command, args []string) error {
			if err := cmdline.RefuseUnknown("shell", args[0], shells); err != nil {
				return err
			}
			text, err := completed(c.Root(), args[0])
			if err == nil {
				_, err = io.WriteString(c.OutOrStdout(), text)
			}
			return err
		},
	}
}
