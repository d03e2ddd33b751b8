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
	"mcsim/cmd/mcsim/view"
	"mcsim/sim/attention/models"
	"mcsim/sim/names"
)

//go:generate go run . export --schema plan -o ../../docs/plan.schema.json
//go:generate go run . export --schema results -o ../../docs/results.schema.json
//go:generate go run . export --schema claims -o ../../docs/claims.schema.json
//go:generate sh -c "cd ../.. && go run ./cmd/mcsim explain --markdown > docs/new && mv docs/new docs/data.md"

type explainFlags struct{ json, markdown bool }

func newExplainCommand() *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:               "explain [NAME...]",
		ValidArgsFunction: cmdline.CompleteNames(listKnownNames),
		RunE:              func(c *cobra.Command, args []string) error { return explain(c.OutOrStdout(), args, f) },
	}
	c.Flags().BoolVar(&f.json, "json", false, cmdline.JSONUsage)
	c.Flags().BoolVar(&f.markdown, "markdown", false,
		"print the columns, parameters and quantities as a document in Markdown")
	return c
}

// explain prints the meanings of names, or lists all names.
func explain(w io.Writer, requested []string, f explainFlags) error {
	switch {
	case f.markdown && (f.json || len(requested) > 0):
		return errors.New("--markdown prints a whole document; omit --json and names")
	case f.markdown:
		return view.Data(w)
	case len(requested) == 0 && f.json:
		requested = names.Map(names.Entries(), func(e names.Entry) string { return e.Name })
	case len(requested) == 0:
		view.KnownNames(w)
		return nil
	}
	var explanations []view.Explanation
	for _, name := range cmdline.RemoveDuplicates(requested) {
		explanation, err := lookUp(name)
		if err != nil {
			return err
		}
		explanations = append(explanations, explanation)
	}
	return show.Print(w, f.json, explanations, func() { view.Explanations(w, explanations) })
}

// lookUp returns all meanings of a name. The name may have a value, NAME=VALUE, as in --where and
// in IDs of cells; lookUp then returns the meanings of NAME.
func lookUp(requested string) (view.Explanation, error) {
	name := strings.TrimSpace(requested)
	x := view.Explanation{Name: requested, Meanings: names.Map(names.Find(name), view.NewMeaning)}
	if m, ok := view.NewModelMeaning(name); ok {
		x.Meanings = append(x.Meanings, m)
	}
	x.Meanings = append(x.Meanings, findFields(name)...)
	if len(x.Meanings) > 0 {
		return x, nil
	}
	if param, _, ok := strings.Cut(name, "="); ok && len(names.Find(param)) > 0 {
		x, err := lookUp(param)
		x.Name = requested
		return x, err
	}
	similar := names.FindSimilar(name, listKnownNames())
	if len(similar) == 0 {
		return x, fmt.Errorf("unknown name %q; `mcsim explain` lists all names", requested)
	}
	return x, fmt.Errorf("unknown name %q; did you mean %s?", requested, strings.Join(similar, " or "))
}

// findFields returns the fields of files that match name. The name may be a field, the symbol of a
// formula, or a path such as budget.alpha, with or without the file. findFields omits a field if
// the table of names has an entry with the same name and text.
func findFields(name string) (found []view.Meaning) {
	fieldOfSymbol := map[string]string{"α": "alpha", "β": "beta"}
	entries := names.Find(name)
	for _, f := range view.Fields() {
		_, path, _ := strings.Cut(f.Name, ": ")
		fieldName := view.FieldName(f)
		isField := fieldName == strings.ReplaceAll(name, "-", "_") || fieldName == fieldOfSymbol[name]
		isPath := f.Name == name || path == name
		hasSameText := func(e names.Entry) bool { return e.Definition == f.Title || e.Title == f.Title }
		if (isField || isPath) && !slices.ContainsFunc(entries, hasSameText) {
			found = append(found, f)
		}
	}
	return found
}

// listKnownNames returns the sorted names of all models, entries and fields that can be explained.
func listKnownNames() []string {
	defined := names.Map(names.Entries(), func(e names.Entry) string { return e.Name })
	known := slices.Concat(models.Names(), defined, names.Map(view.Fields(), view.FieldName))
	slices.Sort(known)
	return slices.Compact(known)
}
