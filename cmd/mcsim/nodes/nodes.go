// Package nodes lists, checks and removes what runs have drawn and recorded.
package nodes

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"mcsim/sim/plain"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/experiment/all"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/run"
	"mcsim/sim/store"
)

// Command is nodes with its own commands. Failed is the error that a failed check ends with.
func Command(failed error) *cobra.Command {
	c := &cobra.Command{
		Use:   "nodes",
		Short: "list, check or remove what runs have drawn and recorded",
		Long: `List, check or remove the nodes in DIR/nodes.bin: the sums of what runs have
drawn, each under all that decides its bits. Runs of any plans and seeds in one
folder share them; what no plan asks for any more stays until it is removed.`,
		Example: `  mcsim nodes ls
  mcsim nodes verify out
  mcsim nodes rm --old`,
		Args: flag.KnownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(list(), check(failed), remove())
	return c
}

// file is the file of nodes that an argument names: itself, or that of a folder.
func file(args []string) (string, error) {
	path, err := folder.Named(args)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return path, nil
	}
	return filepath.Join(path, folder.Nodes), nil
}

// read reads a file of nodes.
func read(args []string) (*store.Store, error) {
	path, err := file(args)
	if err != nil {
		return nil, err
	}
	s, err := store.Read(path, own)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: does not exist; `mcsim run` records there what it draws", path)
	case err != nil:
		return nil, err
	}
	if s.Found().Foreign {
		return nil, errors.Join(fmt.Errorf("%s is no file of nodes of this version", path), s.Close())
	}
	return s, nil
}

// own is the origin of what this version draws: all else is old.
var own = store.Origin{Kernel: kernel.Version, Draw: run.Version}

func list() *cobra.Command {
	asJSON, every := false, false
	c := &cobra.Command{
		Use:   "ls [FOLDER|FILE]",
		Short: "list the recorded nodes, an experiment and seed a line",
		Long: `List what DIR/nodes.bin has: a line for each experiment, seed and attempt, with
its cells, its nodes and their size. Old are nodes that another version drew,
with other random bits: this one has no use for them.`,
		Example: `  mcsim nodes ls
  mcsim nodes ls out --all`,
		Args: flag.OneAtMost("folder or file of nodes"), ValidArgsFunction: flag.FilesOnce(1, "bin"),
		PreRunE: func(c *cobra.Command, _ []string) error { return flag.Exclusive(c, "all", "json") },
		RunE: func(c *cobra.Command, args []string) error {
			s, err := read(args)
			if err != nil {
				return err
			}
			defer s.Close()
			groups := store.Grouped(s.List())
			switch {
			case asJSON:
				return show.JSON(c.OutOrStdout(), groups)
			case every:
				printCells(c.OutOrStdout(), s.List())
			default:
				printGroups(c.OutOrStdout(), groups)
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&every, "all", "a", false, "print a line for every cell, and for its pilot")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON array with an object for each line")
	return c
}

// age marks old nodes.
func age(old bool) string {
	if old {
		return "old"
	}
	return ""
}

// printGroups prints a line for each experiment, seed and attempt.
func printGroups(w io.Writer, groups []store.Group) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "experiment\tseed\tattempt\tcells\tnodes\tkB\t")
	for _, g := range groups {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%s\n", plain.Printable(g.Experiment), g.Seed, g.Attempt, g.Cells, g.Nodes, kilo(g.Bytes), age(g.Old))
	}
	t.Flush()
}

// printCells prints a line for each cell.
func printCells(w io.Writer, list []store.Stock) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "cell\tseed\tattempt\tblocks\tnodes\tkB\t")
	for _, l := range list {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%s\n", plain.Printable(l.ID), l.Seed, l.Attempt, l.Blocks, l.Nodes, kilo(l.Bytes), age(l.Old))
	}
	t.Flush()
}

// kilo is so many bytes in thousands, rounded up.
func kilo(bytes int64) int64 { return (bytes + 999) / 1000 }

func check(failed error) *cobra.Command {
	return &cobra.Command{
		Use:   "verify [FOLDER|FILE]",
		Short: "hold the recorded nodes against their checksums",
		Long: `Hold every record in DIR/nodes.bin against its checksum. Exit code 1: one is
damaged. It is lost then, with what stands behind it, and the next run draws
that again. Whether nodes are what their seed gives only mcsim verify --redraw
can say.`,
		Example: `  mcsim nodes verify`,
		Args:    flag.OneAtMost("folder or file of nodes"), ValidArgsFunction: flag.FilesOnce(1, "bin"),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := read(args)
			if err != nil {
				return err
			}
			defer s.Close()
			fmt.Fprintf(c.OutOrStdout(), "%s: %s: %s\n", plain.Printable(s.Path()), state(s), show.Counted(s.Found().Nodes, "node"))
			if s.Found().Lost > 0 {
				return failed
			}
			return nil
		},
	}
}

// state says whether a file is whole.
func state(s *store.Store) string {
	if lost := s.Found().Lost; lost > 0 {
		return fmt.Sprintf("damaged (%s lost)", show.Counted(int(lost), "byte"))
	}
	return "whole"
}

// choice says which nodes are to be removed.
type choice struct {
	experiment string
	seed       flag.Number
	old, all   bool
}

func remove() *cobra.Command {
	var f choice
	c := &cobra.Command{
		Use:   "rm [FOLDER|FILE]",
		Short: "remove recorded nodes",
		Long: `Remove nodes from DIR/nodes.bin: those that every given flag names. What is
removed is drawn again when a plan asks for it.`,
		Example: `  mcsim nodes rm --old
  mcsim nodes rm out --experiment softmax --seed 8`,
		Args: flag.OneAtMost("folder or file of nodes"), ValidArgsFunction: flag.FilesOnce(1, "bin"),
		RunE: func(c *cobra.Command, args []string) error { return f.remove(c.OutOrStdout(), args) },
	}
	c.Flags().StringVar(&f.experiment, "experiment", "", "of this experiment alone")
	c.Flags().Var(&f.seed, "seed", "of this seed alone")
	c.Flags().BoolVar(&f.old, "old", false, "those that another version drew, with other random bits")
	c.Flags().BoolVar(&f.all, "all", false, "all that there are")
	flag.OfferBy(c, "experiment", flag.Found(experiments))
	return c
}

// experiments are the names of those that draw.
func experiments() (found []string) {
	for _, e := range all.Table {
		if e.Of == "" {
			found = append(found, e.Name)
		}
	}
	return found
}

// remove removes what is chosen.
func (f *choice) remove(out io.Writer, args []string) error {
	if !f.all && !f.old && f.experiment == "" && !f.seed.Given() {
		return errors.New("say which nodes are to be removed: --old, --experiment, --seed or --all")
	}
	if known := experiments(); f.experiment != "" && !slices.Contains(known, f.experiment) {
		return fmt.Errorf("--experiment: %w", names.UnknownError{Kind: "experiment", Name: f.experiment, Names: known})
	}
	var seed uint64
	if err := f.seed.Seed(&seed); err != nil {
		return err
	}
	path, err := file(args)
	if err != nil {
		return err
	}
	there, err := read(args) // since what is no file of nodes of this version is not to be replaced
	if err != nil {
		return err
	}
	there.Close()
	s, err := store.Open(path, own)
	if err != nil {
		return err
	}
	defer s.Close()
	removed := 0
	bytes, err := s.Drop(func(k store.Key) bool {
		drop := (!f.old || own.Old(k)) && (f.experiment == "" || k.Experiment() == f.experiment) && (!f.seed.Given() || k.Seed == seed && !k.IsPilot())
		if drop && !k.IsPilot() {
			removed++
		}
		return drop
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s: %s removed, %d kB less\n", plain.Printable(path), state(s), show.Counted(removed, "cell"), kilo(bytes))
	return nil
}
