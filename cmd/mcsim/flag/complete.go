package flag

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// listed is the type of a flag that takes several texts with commas between.
const listed = "stringSlice"

// offered is the annotation of a flag that has the values which shells complete.
const offered = "mcsim_values"

// Offer lets shells complete the values of a flag. Of a flag that takes several with commas
// between, they complete each.
func Offer(flags *pflag.FlagSet, name string, values ...string) {
	if err := flags.SetAnnotation(name, offered, values); err != nil {
		panic(err) // the program asks for a flag that it does not make
	}
}

// OfferFolders lets shells complete folders.
func OfferFolders(flags *pflag.FlagSet, name string) { mustOffer(cobra.MarkFlagDirname(flags, name)) }

// OfferFiles lets shells complete files with one of the ends, or all files.
func OfferFiles(flags *pflag.FlagSet, name string, ends ...string) {
	mustOffer(cobra.MarkFlagFilename(flags, name, ends...))
}

// OfferBy lets shells complete what a function finds.
func OfferBy(c *cobra.Command, name string, find cobra.CompletionFunc) {
	mustOffer(c.RegisterFlagCompletionFunc(name, find))
}

func mustOffer(err error) {
	if err != nil {
		panic(err) // as in Offer
	}
}

// Complete lets shells complete, in a command and those below it, the values of all flags
// that have names or that offer values; of the others nothing, and no files.
func Complete(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		_, known := c.GetFlagCompletionFunc(f.Name)
		_, folders := f.Annotations[cobra.BashCompSubdirsInDir]
		ends := f.Annotations[cobra.BashCompFilenameExt]
		if !known && !folders && len(ends) == 0 && f.NoOptDefVal == "" {
			OfferBy(c, f.Name, valuesOf(f))
		}
	})
	for _, sub := range c.Commands() {
		Complete(sub)
	}
}

// valuesOf completes what a flag takes.
func valuesOf(f *pflag.Flag) cobra.CompletionFunc {
	values := f.Annotations[offered]
	if _, files := f.Annotations[cobra.BashCompFilenameExt]; files {
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	}
	if a, ok := f.Value.(*Axis); ok && a.Axis.Names != nil {
		values = a.Axis.Names()
	}
	if f.Value.Type() == listed {
		return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return Listed(values, typed), cobra.ShellCompDirectiveNoFileComp
		}
	}
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}

// Listed completes the last of some values with commas between: those that are not yet there.
func Listed(values []string, typed string) (found []cobra.Completion) {
	done := typed[:strings.LastIndex(typed, ",")+1]
	for _, v := range values {
		if !slices.Contains(strings.Split(done, ","), v) {
			found = append(found, done+v)
		}
	}
	return found
}

// FilesOnce completes so many arguments by folders and by files with an end.
func FilesOnce(most int, end string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return []cobra.Completion{end}, cobra.ShellCompDirectiveFilterFileExt
	}
}
