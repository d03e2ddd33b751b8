// Package ask has the commands that answer questions about a model: advise, models, inspect and
// cost. The page models.html runs advise and inspect in a browser.
package ask

import (
	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/inspection"
	"mcsim/sim/model/series"
)

// Outputs are the functions that make and write the files that flags of inspect name.
type Outputs struct {
	ReplaceFile func(path string, data []byte) error
	DrawMap     func(m series.HeadMap, format string) ([]byte, error) // format is svg, pdf or png

	// Reports of JUnit.
	EncodeInspection func(*inspection.Report) ([]byte, error)
	EncodeSeries     func(*inspection.Series) ([]byte, error)
}

// NewCommands returns the commands in the order of the help.
func NewCommands(outputs Outputs) []*cobra.Command {
	return []*cobra.Command{NewAdviseCommand(), newModelsCommand(), NewInspectCommand(outputs), newCostCommand()}
}
