package cmdline

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// CompleteValues lets shells complete a flag by the values. If the flag takes a list, shells
// complete each element of the list.
func CompleteValues(c *cobra.Command, flag string, values ...string) {
	_, isList := c.Flags().Lookup(flag).Value.(pflag.SliceValue)
	complete := func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if isList {
			return CompleteList(values, typed), cobra.ShellCompDirectiveNoFileComp
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
	CompleteWith(c, flag, complete)
}

// CompleteNames returns a completion function for the names of a list. It calls list only if a
// shell requests a completion.
func CompleteNames(list func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return list(), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteWith lets shells complete a flag by the results of find.
func CompleteWith(c *cobra.Command, flag string, find cobra.CompletionFunc) {
	must(c.RegisterFlagCompletionFunc(flag, find))
}

// CompletePaths lets shells complete those flags of a command that take a folder DIR or a FILE.
func CompletePaths(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		switch placeholder, _ := pflag.UnquoteUsage(f); placeholder {
		case "DIR":
			must(cobra.MarkFlagDirname(c.Flags(), f.Name))
		case "FILE":
			CompleteWith(c, f.Name, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault))
		}
	})
}

// must panics on an error. An error occurs only by a mistake in the program: if it completes a flag
// that it does not define.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// CompleteList completes the last element of a comma-separated list by the values that the list
// does not have yet.
func CompleteList(values []string, typed string) (completions []cobra.Completion) {
	prefix := typed[:strings.LastIndex(typed, ",")+1]
	for _, v := range values {
		if !slices.Contains(strings.Split(prefix, ","), v) {
			completions = append(completions, prefix+v)
		}
	}
	return completions
}

// CompleteFiles returns a function that completes up to maxArgs arguments by folders and by files
// with one of the extensions.
func CompleteFiles(maxArgs int, extensions ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= maxArgs {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// CompleteResults returns a function that completes up to maxArgs arguments that name results.
func CompleteResults(maxArgs int) cobra.CompletionFunc {
	return CompleteFiles(maxArgs, "json", "json.gz")
}
