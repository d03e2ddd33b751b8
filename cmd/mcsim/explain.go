package main

import (
	"errors"
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
//go:generate sh -c "cd ../.. && go run ./cmd/mcsim explain --markdown > docs/new && mv docs/new docs/data.md"

type explainFlags struct{ json, markdown bool }

func explainCommand() *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:               "explain [NAME...]",
		ValidArgsFunction: cmdline.CompleteNames(known),
		RunE:              func(c *cobra.Command, args []string) error { return explain(c.OutOrStdout(), args, f) },
	}
	c.Flags().BoolVar(&f.json, "json", false, cmdline.JSON)
	c.Flags().BoolVar(&f.markdown, "markdown", false,
		"print the columns, parameters and quantities as a document in Markdown")
	return c
}

// explain prints the meanings of names, or lists all names.
func explain(out io.Writer, asked []string, f explainFlags) error {
	switch {
	case f.markdown && (f.json || len(asked) > 0):
		return errors.New("--markdown prints a whole document; leave out --json and names")
	case f.markdown:
		return show.Data(out)
	case len(asked) == 0 && f.json:
		asked = names.Map(names.Entries(), func(e names.Entry) string { return e.Name })
	case len(asked) == 0:
		show.KnownNames(out)
		return nil
	}
	var all []show.Explanation
	for _, name := range cmdline.Distinct(asked) {
		x, err := lookUp(name)
		if err != nil {
			return err
		}
		all = append(all, x)
	}
	return show.Print(out, f.json, all, func() { show.Explanations(out, all) })
}

// lookUp returns all meanings of a name. Of NAME=VALUE, as --where and cells have it, it returns
// those of the name.
func lookUp(asked string) (show.Explanation, error) {
	name := strings.TrimSpace(asked)
	x := show.Explanation{Name: asked, Meanings: names.Map(names.Find(name), show.NewExplained)}
	if m, ok := show.ModelExplained(name); ok {
		x.Meanings = append(x.Meanings, m)
	}
	x.Meanings = append(x.Meanings, fieldsNamed(name)...)
	if len(x.Meanings) > 0 {
		return x, nil
	}
	if param, _, ok := strings.Cut(name, "="); ok && len(names.Find(param)) > 0 {
		x, err := lookUp(param)
		x.Name = asked
		return x, err
	}
	near := names.FindSimilar(name, known())
	if len(near) == 0 {
		return x, fmt.Errorf("unknown name %q; `mcsim explain` lists all names", asked)
	}
	return x, fmt.Errorf("unknown name %q; did you mean %s?", asked, strings.Join(near, " or "))
}

// fieldsNamed returns the fields of files with a name, with a symbol of formulas, or at a path such
// as budget.alpha, with the file or without. It leaves out what an entry of the name says already.
func fieldsNamed(name string) (found []show.Explained) {
	symbols := map[string]string{"α": "alpha", "β": "beta"}
	entries := names.Find(name)
	for _, f := range show.Fields() {
		_, path, _ := strings.Cut(f.Name, ": ")
		short := show.FieldName(f)
		isNamed := slices.Contains([]string{strings.ReplaceAll(name, "-", "_"), symbols[name]}, short) ||
			f.Name == name || path == name
		isSame := func(e names.Entry) bool { return e.Definition == f.Title || e.Title == f.Title }
		if isNamed && !slices.ContainsFunc(entries, isSame) {
			found = append(found, f)
		}
	}
	return found
}

// known returns all names that can be explained, sorted.
func known() []string {
	defined := names.Map(names.Entries(), func(e names.Entry) string { return e.Name })
	all := slices.Concat(models.Names(), defined, names.Map(show.Fields(), show.FieldName))
	slices.Sort(all)
	return slices.Compact(all)
}
