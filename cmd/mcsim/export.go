package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/selection"
	"mcsim/cmd/mcsim/show"
	"mcsim/report/tabular"
	"mcsim/sim/claim"
	"mcsim/sim/engine/plan"
	"mcsim/sim/result"
)

// schemas maps a value of --schema to the function that returns its schema.
var schemas = map[string]func() map[string]any{
	"plan": plan.Schema, "results": result.JSONSchema, "claims": claim.Schema,
}

type exportFlags struct {
	tidy, latex bool
	schema      string
	selection   selection.Selection
	columns     []string
	file        string
}

func newExportCommand(shutdown *program.Shutdown) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:  "export [FOLDER|FILE]",
		Args: cmdline.OptionalResults, ValidArgsFunction: cmdline.CompleteResults(1),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := f.buildTable(args)
			if err != nil {
				return err
			}
			if f.file == "" {
				_, err := c.OutOrStdout().Write(text)
				return err
			}
			return shutdown.ReplaceFile(f.file, text)
		},
	}
	c.Flags().BoolVar(&f.tidy, "tidy", false, "write a line for each parameter of each estimate")
	c.Flags().BoolVar(&f.latex, "latex", false, "write a LaTeX table")
	cmdline.AddChoice(c, &f.schema, "schema", "write the JSON Schema of `KIND` in place of a table",
		slices.Sorted(maps.Keys(schemas)))
	f.selection.Add(c)
	c.Flags().StringSliceVar(&f.columns, "columns", nil, "with --latex, the `COLUMNS` (comma-separated): parameters "+
		"and columns of estimates.csv (default: distinguishing parameters, value and theory)")
	c.Flags().StringVarP(&f.file, "out", "o", "", cmdline.OutUsage+": `FILE` (default: the standard output)")
	cmdline.Exclude(c, "schema", "tidy", "latex", "experiment", "quantity", "where")
	cmdline.Exclude(c, "tidy", "latex")
	return c
}

// buildTable returns the table, or the schema, that the flags describe.
func (f *exportFlags) buildTable(args []string) ([]byte, error) {
	var b bytes.Buffer
	if len(f.columns) > 0 && !f.latex {
		return nil, errors.New("--columns requires --latex; CSV tables have every column")
	}
	if schema := schemas[f.schema]; schema != nil {
		if len(args) > 0 {
			return nil, fmt.Errorf("--schema reads no results; omit %s", args[0])
		}
		err := show.JSON(&b, schema())
		return b.Bytes(), err
	}
	location, doc, err := results.LocateAndRead(args)
	if err == nil {
		err = location.RefuseInput("--out", f.file)
	}
	if err != nil {
		return nil, err
	}
	estimates, err := f.selection.Select(doc)
	if err != nil {
		return nil, err
	}
	switch {
	case f.latex:
		return f.buildLaTeX(estimates, doc)
	case f.tidy:
		err = result.WriteTidy(&b, estimates)
	default:
		err = result.WriteCSV(&b, estimates)
	}
	return b.Bytes(), err
}

func (f *exportFlags) buildLaTeX(estimates []result.Estimate, doc *result.Document) ([]byte, error) {
	columns := cmdline.RemoveDuplicates(f.columns)
	for _, column := range columns {
		if err := cmdline.RefuseUnknown("column", column, tabular.Columns(estimates)); err != nil {
			return nil, fmt.Errorf("--columns: %w", err)
		}
	}
	if len(columns) == 0 {
		columns = tabular.DefaultColumns(estimates)
	}
	caption := fmt.Sprintf("Rows of mcsim; seed %d, results %s", doc.Seed, doc.Digest)
	return tabular.LaTeX(estimates, columns, caption), nil
}
