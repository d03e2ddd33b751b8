// Command mcsim measures, by Monte Carlo and with error bars, the effects of dividing attention
// scores by √d_k.
package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/ask"
	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/junit"
	"mcsim/cmd/mcsim/measure"
	"mcsim/cmd/mcsim/program"
	"mcsim/report/headmap"
	"mcsim/sim/engine/shard"
	"mcsim/sim/model/series"
)

func main() { os.Exit(Main()) }

// Main runs the command line and returns its exit code.
func Main() int {
	shutdown := program.NewShutdown()
	shutdown.Listen() // first, so that a signal always ends the program with the same code
	if err := checkLimits(); err != nil {
		program.PrintError(os.Stderr, err)
		return program.BadInput
	}
	err := execute(shutdown, os.Args[1:], os.Stdout, os.Stderr)
	if shutdown.Context().Err() != nil {
		shutdown.Exit(err)
	}
	return exitCode(err, os.Stderr)
}

// execute runs a command line. It returns the first error of the command or of its standard
// output.
func execute(shutdown *program.Shutdown, args []string, stdout, stderr io.Writer) error {
	root, stdoutWriter := newCommand(shutdown), &output{w: stdout}
	root.SetArgs(args)
	root.SetOut(stdoutWriter)
	root.SetErr(stderr)
	if err := root.ExecuteContext(shutdown.Context()); err != nil {
		return err
	}
	return stdoutWriter.err
}

// exitCode returns the exit code for the error of a command line. It prints the error if it is not
// only an exit code.
func exitCode(err error, stderr io.Writer) int {
	code := program.ExitCode(err, stderr)
	if shardErr, ok := errors.AsType[shard.Error](err); ok {
		return program.ShardErrors + int(shardErr.Kind)
	}
	return code
}

// newCommand returns the root command with all subcommands.
func newCommand(shutdown *program.Shutdown) *cobra.Command {
	root := cmdline.NewRootCommand()
	root.Version = formatVersion()
	root.SetVersionTemplate("{{.Version}}\n")
	help := cmdline.NewHelpCommand()
	root.SetHelpCommand(help)
	addGroup := func(title string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: title, Title: title})
		for _, c := range commands {
			c.GroupID = title
			cmdline.AddHelp(c)
			cmdline.CompletePaths(c)
			root.AddCommand(c)
		}
	}
	addGroup("Measure", measure.NewCommands(shutdown)...)
	addGroup("Read results", newReportCommand(shutdown), newFiguresCommand(shutdown), newExportCommand(shutdown),
		newVerifyCommand(shutdown), newCompareCommand(), newClaimsCommand())
	addGroup("Ask about a model", ask.NewCommands(ask.Outputs{
		ReplaceFile:      shutdown.ReplaceFile,
		DrawMap:          func(m series.HeadMap, format string) ([]byte, error) { return headmap.Map(m).File(format) },
		EncodeInspection: junit.EncodeInspection,
		EncodeSeries:     junit.EncodeSeries,
	})...)
	addGroup("Look up and set up", newExplainCommand(), help, newVersionCommand(), newCompletionCommand())
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	return root
}
