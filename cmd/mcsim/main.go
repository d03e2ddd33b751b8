// Command mcsim settles, by Monte Carlo and with honest error bars, what
// dividing attention scores by √d_k does.
package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/measure"
	"mcsim/cmd/mcsim/program"
	"mcsim/sim/engine/shard"
	"mcsim/sim/kernel"
)

func main() { os.Exit(Main()) }

// Main runs the command line and returns its exit code.
func Main() int {
	if err := checkLimits(); err != nil {
		program.PrintError(os.Stderr, err)
		return program.Bad
	}
	stop := program.NewShutdown()
	stop.Listen()
	err := execute(stop, os.Args[1:], os.Stdout, os.Stderr)
	if stop.Context().Err() != nil {
		stop.Exit(err)
	}
	return exitCode(err, os.Stderr)
}

// execute runs a command line.
func execute(stop *program.Shutdown, args []string, stdout, stderr io.Writer) error {
	root, out := command(stop), &output{w: stdout}
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	if err := root.ExecuteContext(stop.Context()); err != nil {
		return err
	}
	return out.err
}

// exitCode returns the exit code of a command line, and prints the error unless it is a verdict.
func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return program.Passed
	}
	if code, ok := errors.AsType[program.Exit](err); ok {
		return int(code)
	}
	program.PrintError(stderr, err)
	if failed, ok := errors.AsType[shard.Error](err); ok {
		return program.Shards + int(failed.Kind)
	}
	return program.Bad
}

// command returns the whole command line.
func command(stop *program.Shutdown) *cobra.Command {
	root := &cobra.Command{
		Use:           "mcsim COMMAND",
		SilenceErrors: true, SilenceUsage: true, DisableFlagsInUseLine: true,
		Version: versionLine(),
		Args:    cmdline.KnownCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },

		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if err := cmdline.RefuseEmpty(c); err != nil {
				return err
			}
			if err := cmdline.RefuseExclusive(c); err != nil {
				return err
			}
			return kernel.CheckSelection()
		},
	}
	cmdline.AddHelp(root)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(cmdline.FlagError)
	root.SetUsageFunc(cmdline.PrintUsage)
	help := cmdline.HelpCommand()
	root.SetHelpCommand(help)
	for _, part := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Measure", measure.Commands(stop)},
		{"Read results", []*cobra.Command{
			reportCommand(stop), figuresCommand(stop), exportCommand(stop), verifyCommand(stop), compareCommand(),
			claimsCommand(),
		}},
		{"Ask about a model", []*cobra.Command{adviseCommand(), modelsCommand(), inspectCommand(stop), costCommand()}},
		{"Look up and set up", []*cobra.Command{explainCommand(), help, versionCommand(), completionCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: part.title, Title: part.title})
		for _, c := range part.commands {
			c.GroupID = part.title
			cmdline.AddHelp(c)
			cmdline.CompletePaths(c)
			root.AddCommand(c)
		}
	}
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	return root
}
