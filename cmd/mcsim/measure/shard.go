package measure

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/sampling"
	"mcsim/sim/base/replace"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/engine/shard"
	"mcsim/sim/names"
)

// shardExtension is the extension of files of shards.
const shardExtension = ".shard"

// parseShard parses the value of --shard, i/N.
func (f *runFlags) parseShard(text string) error {
	before, after, _ := strings.Cut(text, "/")
	shardIndex, indexErr := strconv.Atoi(before)
	shardCount, countErr := strconv.Atoi(after)
	isValid := indexErr == nil && countErr == nil && 0 <= shardIndex && shardIndex < shardCount &&
		shardCount <= schedule.MaxShards
	if !isValid {
		return fmt.Errorf("%q is not a shard i/N with N in 1..%d and i in 0..N−1, such as 3/200",
			text, schedule.MaxShards)
	}
	f.shardIndex, f.shardCount = shardIndex, shardCount
	return nil
}

// shardRun samples one shard of a plan into a file.
type shardRun struct {
	path       string
	schedule   *schedule.Schedule // schedule of the whole plan
	shardRange schedule.ShardRange
	fresh      bool
	workers    int
}

// sampleShard samples a shard of a plan and writes its file, unless the file is complete already.
func (f *runFlags) sampleShard(stdout, status io.Writer, s *schedule.Schedule, shutdown *program.Shutdown) error {
	started := time.Now()
	r := shardRun{
		path:       f.dir, // the value of -o, which names a file if a shard is sampled
		schedule:   s,
		shardRange: s.Shard(f.shardIndex, f.shardCount),
		fresh:      f.fresh,
		workers:    f.workers,
	}
	if err := r.checkPath(); err != nil {
		return err
	}
	isComplete, err := r.isComplete(status)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("shard %v of %s", r.shardRange, s.Plan.Title())
	if isComplete {
		r.removeProgress()
		fmt.Fprintf(stdout, "%s: is complete already: %s\n", names.Printable(r.path), title)
		return nil
	}
	r.warnUneven(status)
	proportion, err := r.sample(status, shutdown)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s, %.3g %% of it, in %v\n",
		names.Printable(r.path), title, 100*proportion, time.Since(started).Round(10*time.Millisecond))
	return nil
}

// checkPath returns an error if the file of a shard cannot be written at the path.
func (r *shardRun) checkPath() error {
	name := strconv.Itoa(r.shardRange.Index) + shardExtension
	if r.path == "-" {
		return errors.New("-o -: a shard is written to a file, so that it can replace a file as a whole; name one")
	}
	info, err := os.Lstat(r.path)
	isDir := err == nil && info.IsDir()
	if isDir || os.IsPathSeparator(r.path[len(r.path)-1]) {
		return fmt.Errorf("%s: is a folder; --shard requires a file with -o, such as -o %s",
			r.path, filepath.Join(r.path, name))
	}
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is not a regular file; --shard requires one with -o, such as -o %s", r.path, name)
	}
	return nil
}

// isComplete reports whether the file contains the whole shard. If the file contains something
// else, it prints a note that the shard is sampled again, or returns an error if the file does not
// have the extension of a shard.
func (r *shardRun) isComplete(status io.Writer) (bool, error) {
	if r.fresh {
		return false, nil
	}
	isComplete, err := shard.Holds(r.path, r.schedule, r.shardRange)
	if isOtherContent := errors.As(err, new(shard.Error)); !isOtherContent {
		return isComplete, err
	}
	if filepath.Ext(r.path) != shardExtension {
		return false, fmt.Errorf("%s: is not a complete shard; remove it, or name another file", r.path)
	}
	program.Printf(status, "%v; it is drawn again", err)
	return false, nil
}

// sample samples the shard and writes its file. It returns the cost of the shard as a proportion of
// the cost of the plan.
func (r *shardRun) sample(status io.Writer, shutdown *program.Shutdown) (proportion float64, err error) {
	folder := filepath.Dir(r.path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return 0, fmt.Errorf("the folder %s cannot be made: %w", folder, err)
	}
	replace.SyncFolder(filepath.Dir(folder))
	shardSchedule := r.schedule.Select(r.shardRange)
	nodes, err := r.openProgress(status, shardSchedule)
	if err != nil {
		return 0, err
	}
	defer nodes.Close()
	if r.fresh {
		err := shutdown.Finish(func() error {
			_, err := nodes.Drop(func(store.ID) bool { return true })
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	sampling.PrintNodesState(status, shardSchedule, nodes)
	sampling.PrintDuration(status, shardSchedule, nodes, r.workers)
	if err := sampling.Record(shutdown, nodes, shardSchedule, r.workers, status); err != nil {
		return 0, err
	}
	err = shutdown.Replace(func() error {
		err := shard.Write(r.path, r.schedule, r.shardRange, nodes)
		if err == nil {
			return nodes.Remove()
		}
		if isComplete, _ := r.isComplete(io.Discard); isComplete { // another process has written it
			return nodes.Remove()
		}
		return err
	})
	return shardSchedule.Components() / r.schedule.Components(), err
}

// progressPath returns the path of the file with the progress of the shard.
func (r *shardRun) progressPath() string { return r.path + ".part" }

// openProgress opens the file with the progress of the shard. If another process uses the file,
// because a scheduler started a task twice, this process draws without saving its progress; both
// processes write the same shard.
func (r *shardRun) openProgress(status io.Writer, shardSchedule *schedule.Schedule) (*store.Store, error) {
	nodes, err := store.Open(r.progressPath(), run.Origin(shardSchedule.Plan))
	if inUse, ok := errors.AsType[store.InUseError](err); ok {
		program.Printf(status, "%s uses %s; this process draws without it and writes the same file",
			inUse.Holder, inUse.Path)
		return store.New(run.Origin(shardSchedule.Plan)), nil
	}
	return nodes, err
}

// removeProgress removes the progress of a complete shard, unless another process uses it.
func (r *shardRun) removeProgress() {
	if nodes, err := store.Open(r.progressPath(), run.Origin(r.schedule.Plan)); err == nil {
		_ = nodes.Remove()
	}
}

// warnUneven prints a note if there are so many shards that their costs are unequal.
func (r *shardRun) warnUneven(status io.Writer) {
	maxEqual, cell := r.schedule.MaxUsefulShards()
	if r.shardRange.Count <= maxEqual {
		return
	}
	program.Printf(status, "%d shards have unequal costs: one block of %s is more than a tenth of a shard; "+
		"the costs of up to %d are equal within a tenth", r.shardRange.Count, cell, maxEqual)
}

// findShardFiles returns the sorted paths of the files of shards that the arguments name, either
// directly or by their folder.
func findShardFiles(args []string) (paths []string, err error) {
	const expected = "merge requires files of shards, or folders with *" + shardExtension + " in them"
	for _, arg := range args {
		if arg == "" {
			return nil, errors.New("an argument is empty; " + expected)
		}
		info, err := os.Stat(arg)
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s: does not exist; %s", arg, expected)
		}
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			paths = append(paths, arg)
			continue
		}
		entries, err := os.ReadDir(arg)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			path := filepath.Join(arg, e.Name())
			info, err := os.Stat(path)
			if filepath.Ext(path) == shardExtension && err == nil && info.Mode().IsRegular() {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if len(paths) == 0 {
		text := fmt.Sprintf("no *%s is in %s", shardExtension, strings.Join(args, ", "))
		return nil, shard.Error{Kind: shard.Missing, Text: text}
	}
	return paths, nil
}
