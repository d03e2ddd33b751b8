package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/sim/names"
)

// shell is one that completions can be had for.
type shell struct {
	name  string
	write func(*cobra.Command, io.Writer) error
}

var shells = []shell{
	{"bash", func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) }},
	{"zsh", mending(func(c *cobra.Command, w io.Writer) error { return c.GenZshCompletion(w) })},
	{"fish", mending(func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) })},
	{"powershell", func(c *cobra.Command, w io.Writer) error { return c.GenPowerShellCompletionWithDesc(w) }},
}

// What cobra 1.10 writes for zsh and fish is wrong of a value that has a sign of equality
// itself, as that of --set=law=normal: it takes --set=law= for the flag, so that the line
// becomes --set=law=law=normal; and fish takes a line that begins with -- for an option of
// its string split.
var mended = strings.NewReplacer(
	"'-.*='", "'^-[^=]*='",
	`string split --max 1 \t $`, `string split --max 1 -- \t $`,
)

// mending writes what a shell reads without these mistakes.
func mending(write func(*cobra.Command, io.Writer) error) func(*cobra.Command, io.Writer) error {
	return func(c *cobra.Command, w io.Writer) error {
		var b strings.Builder
		if err := write(c, &b); err != nil {
			return err
		}
		_, err := mended.WriteString(w, b.String())
		return err
	}
}

// shellNames are those of the shells.
func shellNames() (all []string) {
	for _, s := range shells {
		all = append(all, s.name)
	}
	return all
}

// completionCommand prints the completions for a shell.
func completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion " + strings.Join(shellNames(), "|"),
		Short: "print what a shell needs to complete commands, flags and values",
		Long: `Print what a shell reads to complete commands, flags, and their values: plans,
figures, laws, rules, initialisations, experiments, axes of --set, and names to
explain. Bash needs the package bash-completion. It lasts for one shell, unless
the file is put where the shell looks for such:

  bash        ~/.local/share/bash-completion/completions/mcsim
  zsh         _mcsim in a folder of $fpath
  fish        ~/.config/fish/completions/mcsim.fish
  powershell  the end of the file $PROFILE`,
		Example: `  source <(mcsim completion bash)
  source <(mcsim completion zsh)
  mcsim completion fish | source
  mcsim completion powershell | Out-String | Invoke-Expression`,
		Args:      knownShell,
		ValidArgs: shellNames(),
		RunE: func(c *cobra.Command, args []string) error {
			for _, s := range shells {
				if s.name != args[0] {
					continue
				}
				var b bytes.Buffer
				if err := s.write(c.Root(), &b); err != nil {
					return err
				}
				_, err := c.OutOrStdout().Write(b.Bytes())
				return err
			}
			return nil // knownShell has refused others
		},
	}
}

// knownShell refuses all but one shell.
func knownShell(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("completion takes one shell: %s", strings.Join(shellNames(), ", "))
	}
	for _, s := range shells {
		if s.name == args[0] {
			return nil
		}
	}
	return names.UnknownError{Kind: "shell", Name: args[0], Names: shellNames()}
}
