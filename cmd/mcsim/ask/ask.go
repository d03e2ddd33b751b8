// Package ask has the commands that answer questions about a model: advise, models, inspect and
// cost. The page models.html runs advise and inspect in a browser.
package ask

import (
	"io"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/inspection"
	"mcsim/cmd/mcsim/program"
	"mcsim/sim/model/series"
)

// Outputs are the functions that make and write the files that flags of inspect name. Without them,
// inspect does not have these flags.
type Outputs struct {
	ReplaceFile func(path string, data []byte) error
	DrawMap     func(m series.HeadMap, format string) ([]byte, error) // format is svg, pdf or png

	// Reports of JUnit.
	EncodeInspection func(*inspection.Report) ([]byte, error)
	EncodeSeries     func(*inspection.Series) ([]byte, error)
}

// NewCommands returns the commands in the order of the help.
func NewCommands(outputs Outputs) []*cobra.Command {
	return []*cobra.Command{newAdviseCommand(), newModelsCommand(), newInspectCommand(outputs), newCostCommand()}
}

// Execute runs a command line of advise or inspect that writes no files, and returns its exit code.
func Execute(args []string, stdout, stderr io.Writer) int {
	root := cmdline.NewRootCommand()
	root.AddCommand(newAdviseCommand(), newInspectCommand(Outputs{}))
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return program.ExitCode(root.Execute(), stderr)
}
