package measure

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/sim/engine/script"
	"mcsim/sim/engine/shard"
)

func mergeCommand() *cobra.Command {
	dir, quiet, of := "", false, 0
	c := &cobra.Command{
		Use:   "merge FILE...",
		Short: "merge shards of a plan into its results, and judge its gates",
		Long: `Merge the files of mcsim run --shard i/N into results, with the same bytes as
one mcsim run. A folder stands for all *.shard in it. Files may come in any
order and from different N; duplicates are skipped.

More exit codes: 4 shards are missing; 5 a file is damaged; 6 files are of
different plans; 7 a version with other random bits drew a file; 8 two files
differ in the same blocks. With 4 and 5 the output has the indices to draw
again, as schedulers take them: 3,7-9.`,
		Example: `  mcsim merge shards -o out
  mcsim merge a/*.shard b/*.shard -o out`,
		Args:              flag.Takes(1, math.MaxInt, "files of shards, or folders with *"+extension+" in them"),
		ValidArgsFunction: flag.FilesOnce(math.MaxInt, extension[1:]),
		RunE: func(c *cobra.Command, args []string) error {
			out, status := c.OutOrStdout(), c.ErrOrStderr()
			err := merge(out, status, args, of, dir, quiet)
			if e := (shard.Error{}); errors.As(err, &e) && len(e.Again) > 0 {
				fmt.Fprintln(out, shard.Spec(e.Again))
			}
			return err
		},
	}
	c.Flags().StringVarP(&dir, "out", "o", folder.Usual, flag.Out+": folder `DIR` of the results")
	c.Flags().VarP(flag.Whole(&of, 1, script.MostShards), "parts", "N", flag.Parts+": what the indices that are to be drawn again count by (default what most files do)")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, flag.Quiet)
	return c
}

// merge makes results of shards.
func merge(out, status io.Writer, args []string, parts int, dir string, quiet bool) error {
	if quiet {
		out, status = io.Discard, io.Discard
	}
	begun := time.Now()
	paths, err := shardFiles(args)
	if err != nil {
		return err
	}
	m, err := shard.Merge(paths, parts)
	if err != nil {
		return err
	}
	if err := (&runFlags{dir: dir, shards: true}).admit(m.Schedule); err != nil {
		return err
	}
	if replaced := folder.Replaced(dir, m.Schedule.Plan); replaced != "" {
		folder.Say(status, "%s", replaced)
	}
	nodes, err := folder.OpenNodes(dir, m.Schedule, false)
	if err != nil {
		return err
	}
	defer nodes.Close()
	folder.Damage(status, nodes)
	if err := nodes.Take(m.Nodes); err != nil {
		return err
	}
	return conclude(out, m.Schedule, nodes, conclusion{from: m.Nodes, dir: dir, workers: 1, shards: m.Files, begun: begun, how: mergedFrom(m)})
}
