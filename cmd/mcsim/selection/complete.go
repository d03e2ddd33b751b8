package selection

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/sim/result"
)

// offered completes what the rows of the results have that the command line names; nothing
// where they cannot be read.
func offered(has func(rows []result.Estimate, typed string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		_, doc, err := folder.ReadAt(args)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return has(doc.Estimates, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// once are the different texts of rows, in the order of the rows.
func once(rows []result.Estimate, of func(*result.Estimate) string) (found []string) {
	seen := map[string]bool{}
	for i := range rows {
		if text := of(&rows[i]); !seen[text] {
			seen[text] = true
			found = append(found, text)
		}
	}
	return found
}

// each completes each of several names with commas between.
func each(of func(*result.Estimate) string) cobra.CompletionFunc {
	return offered(func(rows []result.Estimate, typed string) []string { return flag.Listed(once(rows, of), typed) })
}

// conditions completes NAME=VALUE.
func conditions(rows []result.Estimate, _ string) (found []string) {
	for i := range rows {
		for name := range rows[i].Params {
			text, _ := rows[i].ParamText(name)
			found = append(found, name+"="+text)
		}
	}
	slices.SortFunc(found, strings.Compare)
	return slices.Compact(found)
}
