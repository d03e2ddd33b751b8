package measure

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/sampling"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/engine/script"
	"mcsim/sim/engine/shard"
)

type mergeFlags struct {
	dir   string
	parts int
	quiet bool
}

func mergeCommand(stop *program.Shutdown) *cobra.Command {
	var f mergeFlags
	c := &cobra.Command{
		Use: "merge FILE...",
		Args: cmdline.RequireArgs(1, math.MaxInt,
			"files of shards, or folders with *"+shardExtension+" in them"),
		ValidArgsFunction: cmdline.CompleteFiles(math.MaxInt, shardExtension[1:]),
		RunE: func(c *cobra.Command, args []string) error {
			out, status := c.OutOrStdout(), c.ErrOrStderr()
			if f.quiet {
				out, status = io.Discard, io.Discard
			}
			err := f.merge(out, status, args, stop)
			if failed, ok := errors.AsType[shard.Error](err); ok && len(failed.Resample) > 0 {
				fmt.Fprintln(c.OutOrStdout(), shard.Spec(failed.Resample))
			}
			return err
		},
	}
	c.Flags().StringVarP(&f.dir, "out", "o", results.DefaultDir, cmdline.Out+": folder `DIR` of the results")
	c.Flags().VarP(cmdline.Integer(&f.parts, 1, script.MaxShards), "parts", "N",
		cmdline.Parts+": what the indices that are to be drawn again count by (default what most files do)")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, cmdline.Quiet)
	return c
}

// merge makes the results of shards.
func (f *mergeFlags) merge(out, status io.Writer, args []string, stop *program.Shutdown) error {
	started := time.Now()
	paths, err := shardFiles(args)
	if err != nil {
		return err
	}
	merged, err := shard.Merge(paths, f.parts)
	if err != nil {
		return err
	}
	session := session{schedule: merged.Schedule, dir: f.dir, out: out, status: status, stop: stop, started: started,
		workers: 1, shards: merged.Files}
	nodes, err := session.open()
	if err != nil {
		return err
	}
	defer nodes.Close()
	sampling.PrintDamage(status, nodes)
	if err := stop.Finish(func() error { return nodes.CopyFrom(merged.Nodes) }); err != nil {
		return err
	}
	return session.conclude(merged.Nodes, nodes, fmt.Sprintf(" from %s, drawn on %s",
		show.Counted(merged.Files, "shard"), strings.Join(merged.Architectures, " and ")))
}
