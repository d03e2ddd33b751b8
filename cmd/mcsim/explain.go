package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/models"
	"mcsim/sim/names"
)

//go:generate go run . export --schema plan -o ../../docs/plan.schema.json
//go:generate go run . export --schema results -o ../../docs/results.schema.json
//go:generate go run . export --schema claims -o ../../docs/claims.schema.json
//go:generate sh -c "go run . explain --markdown > ../../docs/data.md.new && mv ../../docs/data.md.new ../../docs/data.md"

type explainFlags struct{ json, markdown bool }

func explainCommand() *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:   "explain [NAME...]",
		Short: "say what a name in files, tables or commands means",
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return known(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return explain(c.OutOrStdout(), args, f) },
	}
	c.Flags().BoolVar(&f.json, "json", false, cmdline.JSON)
	c.Flags().BoolVar(&f.markdown, "markdown", false, "print the columns, parameters and quantities as a document in Markdown")
	return c
}

// explain prints what is asked, or all names where nothing is asked for.
func explain(out io.Writer, asked []string, f explainFlags) error {
	switch {
	case f.markdown && (f.json || len(asked) > 0):
		return fmt.Errorf("--markdown prints a whole document; leave out --json and names")
	case f.markdown:
		return show.Data(out)
	case len(asked) == 0 && f.json:
		asked = names.Each(names.All(), func(e names.Entry) string { return e.Name })
	case len(asked) == 0:
		show.KnownNames(out)
		return nil
	}
	var all []show.Explanation
	for _, name := range cmdline.Distinct(asked) {
		x, err := explained(name)
		if err != nil {
			return err
		}
		all = append(all, x)
	}
	return show.Print(out, f.json, all, func() { show.Explanations(out, all) })
}

// explained is all that stands under a name.
func explained(asked string) (show.Explanation, error) {
	name := strings.TrimSpace(asked)
	x := show.Explanation{Name: asked, Meanings: names.Each(names.Find(name), show.NewExplained)}
	if m, ok := show.ModelExplained(name); ok {
		x.Meanings = append(x.Meanings, m)
	}
	x.Meanings = append(x.Meanings, fieldsOf(name)...)
	if len(x.Meanings) > 0 {
		return x, nil
	}
	if within, _, ok := strings.Cut(name, "="); ok && len(names.Find(within)) > 0 { // as --where and cells have it
		x, err := explained(within)
		x.Name = asked
		return x, err
	}
	near := names.Near(name, known())
	if len(near) == 0 {
		return x, fmt.Errorf("unknown name %q; `mcsim explain` lists all names", asked)
	}
	return x, fmt.Errorf("unknown name %q; did you mean %s?", asked, strings.Join(near, " or "))
}

// fieldsOf are the fields of a name, of a sign of formulas, or of a place, with the file or
// without: results.json: budget.alpha. What an entry says already is left out.
func fieldsOf(name string) (found []show.Explained) {
	sign := map[string]string{"α": "alpha", "β": "beta"}
	entries := names.Find(name)
	for _, f := range show.Fields() {
		_, path, _ := strings.Cut(f.Name, ": ")
		said := slices.ContainsFunc(entries, func(e names.Entry) bool { return e.Definition == f.Title || e.Title == f.Title })
		short := show.FieldName(f)
		if !said && (short == strings.ReplaceAll(name, "-", "_") || short == sign[name] || f.Name == name || path == name) {
			found = append(found, f)
		}
	}
	return found
}

// known are all names that can be explained.
func known() []string {
	defined := names.Each(names.All(), func(e names.Entry) string { return e.Name })
	valid := slices.Concat(models.Names(), defined, names.Each(show.Fields(), show.FieldName))
	slices.Sort(valid)
	return slices.Compact(valid)
}
