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
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/script"
	"mcsim/sim/engine/shard"
)

type mergeFlags struct {
	dir        string
	shardCount int
	quiet      bool
}

func newMergeCommand(shutdown *program.Shutdown) *cobra.Command {
	var f mergeFlags
	c := &cobra.Command{
		Use: "merge FILE...",
		Args: cmdline.RequireArgs(1, math.MaxInt,
			"files of shards, or folders with *"+shardExtension+" in them"),
		ValidArgsFunction: cmdline.CompleteFiles(math.MaxInt, shardExtension[1:]),
		RunE: func(c *cobra.Command, args []string) error {
			s := session{stdout: c.OutOrStdout(), status: c.ErrOrStderr(), shutdown: shutdown}
			if f.quiet {
				s.stdout, s.status, s.quietVerdict = io.Discard, io.Discard, s.status
			}
			err := f.merge(s, args)
			if shardErr, ok := errors.AsType[shard.Error](err); ok && len(shardErr.Resample) > 0 {
				fmt.Fprintln(c.OutOrStdout(), shard.Spec(shardErr.Resample))
			}
			return err
		},
	}
	c.Flags().StringVarP(&f.dir, "out", "o", results.DefaultDir, cmdline.OutUsage+": folder `DIR` of the results")
	c.Flags().VarP(cmdline.NewInteger(&f.shardCount, 1, script.MaxShards), "parts", "N",
		cmdline.ShardsUsage+", to which the printed indices refer (default: that of most files)")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, cmdline.QuietUsage+", and a verdict other than pass")
	return c
}

// merge combines the shards that the arguments name into the results of their plan.
func (f *mergeFlags) merge(session session, args []string) error {
	session.started = time.Now()
	paths, err := findShardFiles(args)
	if err != nil {
		return err
	}
	merged, err := shard.Merge(paths, f.shardCount)
	if err != nil {
		return err
	}
	if err := document.CheckNodes(merged.Schedule, merged.Nodes); err != nil {
		return err
	}
	session.inputs = paths
	session.schedule, session.dir, session.workers, session.shardCount = merged.Schedule, f.dir, 1, merged.Files
	nodes, err := session.open()
	if err != nil {
		return err
	}
	defer nodes.Close()
	sampling.PrintDamage(session.status, nodes)
	if err := session.shutdown.Finish(func() error { return nodes.CopyFrom(merged.Nodes) }); err != nil {
		return err
	}
	return session.conclude(merged.Nodes, nodes, fmt.Sprintf(" from %s, drawn on %s",
		show.FormatCount(merged.Files, "shard"), strings.Join(merged.Architectures, " and ")))
}
