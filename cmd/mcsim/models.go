package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/models"
	"mcsim/sim/names"
)

type modelsFlags struct{ json, csv bool }

func modelsCommand() *cobra.Command {
	var f modelsFlags
	c := &cobra.Command{
		Use:   "models [NAME... | CONFIG...]",
		Short: "say what released models do, or yours by its config.json",
		Long: fmt.Sprintf(`Say what released models divide their scores by, whether they norm or cap them,
how they initialise W_Q and W_K, and which file and line says so. Then: the
standard deviation of a logit at initialisation, and whether rows of the model's
own context begin healthy. With a NAME you get all that is known of that model.

CONFIG is a config.json of transformers. mcsim says what each tower and layer
multiplies q·k by, with the formula, soft caps, norms of q and k, sinks and
temperatures, and names keys that it does not understand.

Most labs publish no initialisation. %q means that only the
default of a library is known. An empty field means that nothing is known; mcsim
does not guess. mcsim advise --model draws a model's heads.`, names.EvidenceLibrary),
		Example: `  mcsim models
  mcsim models ./config.json
  mcsim models gpt-neo-2.7b
  mcsim models gemma-3n-e4b deepseek-v3 --json
  mcsim models --csv > models.csv`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return models.Names(), cobra.ShellCompDirectiveDefault
		},
		PreRunE: func(c *cobra.Command, _ []string) error { return flag.Exclusive(c, "json", "csv") },
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 && isConfig(args[0]) {
				return f.configs(c.OutOrStdout(), args)
			}
			return showModels(c.OutOrStdout(), args, f)
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, flag.JSON)
	c.Flags().BoolVar(&f.csv, "csv", false, flag.CSV+": the rows of the ledger")
	return c
}

// isConfig reports whether an argument names a file, not a model.
func isConfig(argument string) bool {
	_, err := os.Stat(argument)
	return strings.HasSuffix(argument, ".json") || err == nil && strings.ContainsRune(argument, os.PathSeparator)
}

// configs prints what the models of config.json files, or of folders with one, do with q·k.
func (f modelsFlags) configs(out io.Writer, paths []string) error {
	if f.csv {
		return errors.New("--csv prints rows of the ledger; for a config.json use --json")
	}
	all, err := show.ReadTowers(paths)
	if err != nil {
		return err
	}
	return show.Printed(out, f.json, all, func() {
		for _, t := range all {
			t.Print(out)
		}
	})
}

// showModels prints the models that are asked for, or a table of all.
func showModels(out io.Writer, asked []string, f modelsFlags) error {
	chosen := models.All()
	if len(asked) > 0 {
		chosen = nil
	}
	for _, name := range flag.Distinct(asked) {
		m, err := models.Lookup(name)
		if err != nil {
			return err
		}
		chosen = append(chosen, m)
	}
	all := names.Each(chosen, show.NewReleased)
	if f.csv {
		return show.ModelsCSV(out, all)
	}
	return show.Printed(out, f.json, all, func() {
		if len(asked) == 0 {
			show.Models(out, all)
			return
		}
		for i, r := range all {
			if i > 0 {
				fmt.Fprintln(out)
			}
			show.Model(out, r)
		}
	})
}
