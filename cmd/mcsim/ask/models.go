package ask

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/models"
	"mcsim/sim/names"
)

type modelsFlags struct{ json, csv bool }

func newModelsCommand() *cobra.Command {
	var f modelsFlags
	c := &cobra.Command{
		Use: "models [NAME... | CONFIG...]",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return models.Names(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(c *cobra.Command, args []string) error {
			var named, paths []string
			for _, argument := range cmdline.RemoveDuplicates(args) {
				if isConfig(argument) {
					paths = append(paths, argument)
				} else {
					named = append(named, argument)
				}
			}
			return f.print(c.OutOrStdout(), named, paths)
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, cmdline.JSONUsage)
	c.Flags().BoolVar(&f.csv, "csv", false, cmdline.CSVUsage+": the rows of the ledger")
	cmdline.Exclude(c, "json", "csv")
	return c
}

// isConfig reports whether an argument names a file or a folder. Otherwise it names a model.
func isConfig(argument string) bool {
	if strings.HasSuffix(argument, ".json") || argument == "." || argument == ".." {
		return true
	}
	_, err := os.Stat(argument)
	return err == nil && strings.ContainsRune(argument, os.PathSeparator)
}

// print prints the named models of the ledger. Then it prints how each model with a config.json
// file at one of the paths turns q·k into logits. Without names and paths it prints a table of all
// models.
func (f modelsFlags) print(w io.Writer, named, paths []string) error {
	if f.csv && len(paths) > 0 {
		return errors.New("--csv prints rows of the ledger; for a config.json use --json")
	}
	chosen, err := lookUpModels(named, len(paths) == 0)
	if err != nil {
		return err
	}
	towers, err := show.ReadTowers(paths)
	if err != nil {
		return err
	}
	released := names.Map(chosen, show.NewReleasedModel)
	if f.csv {
		return show.ModelsCSV(w, released)
	}
	var modelsAndTowers []any
	for _, r := range released {
		modelsAndTowers = append(modelsAndTowers, r)
	}
	for _, t := range towers {
		modelsAndTowers = append(modelsAndTowers, t)
	}
	return show.Print(w, f.json, modelsAndTowers, func() {
		if len(named)+len(paths) == 0 {
			show.Models(w, released)
			return
		}
		for i, r := range released {
			if i > 0 {
				fmt.Fprintln(w)
			}
			show.Model(w, r)
		}
		if len(released) > 0 && len(towers) > 0 {
			fmt.Fprintln(w)
		}
		for _, t := range towers {
			t.Print(w)
		}
	})
}

// lookUpModels returns the named models of the ledger. If there is no name and allByDefault is
// true, it returns all models.
func lookUpModels(named []string, allByDefault bool) (chosen []models.Model, err error) {
	if len(named) == 0 && allByDefault {
		return models.All(), nil
	}
	for _, name := range named {
		m, err := models.Lookup(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, m)
	}
	return chosen, nil
}
