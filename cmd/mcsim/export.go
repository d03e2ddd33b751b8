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
	"mcsim/cmd/mcsim/show"
	"mcsim/report/tabular"
	"mcsim/sim/claim"
	"mcsim/sim/engine/plan"
	"mcsim/sim/result"
)

// schemas are the values of --schema.
var schemas = map[string]func() map[string]any{
	"plan": plan.Schema, "results": result.JSONSchema, "claims": claim.Schema,
}

type exportFlags struct {
	tidy, latex bool
	schema      string
	rows        selection
	columns     []string
	file        string
}

func exportCommand(stop *program.Shutdown) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:  "export [FOLDER|FILE]",
		Args: cmdline.OneResults, ValidArgsFunction: cmdline.CompleteResults(1),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := f.table(args)
			if err != nil {
				return err
			}
			if f.file == "" {
				_, err := c.OutOrStdout().Write(text)
				return err
			}
			return stop.ReplaceFile(f.file, text)
		},
	}
	c.Flags().BoolVar(&f.tidy, "tidy", false, "a line for each parameter of each estimate")
	c.Flags().BoolVar(&f.latex, "latex", false, "a table of LaTeX")
	cmdline.AddChoice(c, &f.schema, "schema", "write the JSON Schema of `KIND` in place of a table",
		slices.Sorted(maps.Keys(schemas)))
	f.rows.add(c)
	c.Flags().StringSliceVar(&f.columns, "columns", nil, "with --latex, the `COLUMNS` with commas between: "+
		"parameters and those of estimates.csv; else what tells the rows apart, the value and theory")
	c.Flags().StringVarP(&f.file, "out", "o", "", cmdline.Out+": `FILE` (default the standard output)")
	cmdline.Exclude(c, "schema", "tidy", "latex", "experiment", "quantity", "where")
	cmdline.Exclude(c, "tidy", "latex")
	return c
}

// table returns the table, or the schema, that the flags describe.
func (f *exportFlags) table(args []string) ([]byte, error) {
	var b bytes.Buffer
	if len(f.columns) > 0 && !f.latex {
		return nil, errors.New("--columns goes with --latex alone; tables of CSV have every column")
	}
	if schema := schemas[f.schema]; schema != nil {
		if len(args) > 0 {
			return nil, fmt.Errorf("--schema reads no results; leave out %s", args[0])
		}
		err := show.JSON(&b, schema())
		return b.Bytes(), err
	}
	_, doc, err := results.LocateAndRead(args)
	if err != nil {
		return nil, err
	}
	rows, err := f.rows.rows(doc)
	if err != nil {
		return nil, err
	}
	switch {
	case f.latex:
		return f.latexTable(rows, doc)
	case f.tidy:
		err = result.WriteTidy(&b, rows)
	default:
		err = result.WriteCSV(&b, rows)
	}
	return b.Bytes(), err
}

func (f *exportFlags) latexTable(rows []result.Estimate, doc *result.Document) ([]byte, error) {
	columns := cmdline.Distinct(f.columns)
	for _, column := range columns {
		if err := cmdline.RefuseUnknown("column", column, tabular.Columns(rows)); err != nil {
			return nil, fmt.Errorf("--columns: %w", err)
		}
	}
	if len(columns) == 0 {
		columns = tabular.DefaultColumns(rows)
	}
	return tabular.LaTeX(rows, columns, fmt.Sprintf("Rows of mcsim; seed %d, results %s", doc.Seed, doc.Digest)), nil
}
