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
	index, indexErr := strconv.Atoi(before)
	count, countErr := strconv.Atoi(after)
	if indexErr != nil || countErr != nil || count < 1 || count > schedule.MaxShards || index < 0 || index >= count {
		return fmt.Errorf("%q is not a shard: it wants i/N with N in 1..%d and i in 0..N−1, such as 3/200",
			text, schedule.MaxShards)
	}
	f.shardIndex, f.shardCount = index, count
	return nil
}

// shardRun draws one shard of a plan into a file.
type shardRun struct {
	path     string
	schedule *schedule.Schedule // of the whole plan
	share    schedule.ShardRange
	fresh    bool
	workers  int
}

// drawShard draws a shard of a plan and writes its file. It leaves a whole file as it is.
func (f *runFlags) drawShard(out, status io.Writer, s *schedule.Schedule, stop *program.Shutdown) error {
	started := time.Now()
	r := shardRun{
		path:     f.dir,
		schedule: s,
		share:    s.Shard(f.shardIndex, f.shardCount),
		fresh:    f.fresh,
		workers:  f.workers,
	}
	if err := r.checkPath(); err != nil {
		return err
	}
	isWhole, err := r.isWhole(status)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("shard %v of %s", r.share, s.Plan.Title())
	if isWhole {
		r.removeRecord()
		fmt.Fprintf(out, "%s: is whole already: %s\n", names.Printable(r.path), title)
		return nil
	}
	r.printUneven(status)
	proportion, err := r.draw(status, stop)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s, %.3g %% of it, in %v\n",
		names.Printable(r.path), title, 100*proportion, time.Since(started).Round(10*time.Millisecond))
	return nil
}

// checkPath refuses a path that cannot be a file of a shard.
func (r *shardRun) checkPath() error {
	name := strconv.Itoa(r.share.Index) + shardExtension
	if r.path == "-" {
		return errors.New("-o -: a shard is written to a file, which can be put in its place whole; name one")
	}
	info, err := os.Lstat(r.path)
	if err == nil && info.IsDir() || os.IsPathSeparator(r.path[len(r.path)-1]) {
		return fmt.Errorf("%s: is a folder; --shard wants a file with -o, such as -o %s",
			r.path, filepath.Join(r.path, name))
	}
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is not a regular file; --shard wants one with -o, such as -o %s", r.path, name)
	}
	return nil
}

// isWhole reports whether the file holds the whole shard. It says that a damaged file is drawn again.
func (r *shardRun) isWhole(status io.Writer) (bool, error) {
	if r.fresh {
		return false, nil
	}
	isWhole, err := shard.Holds(r.path, r.schedule, r.share)
	if !errors.As(err, new(shard.Error)) {
		return isWhole, err
	}
	if filepath.Ext(r.path) != shardExtension {
		return false, fmt.Errorf("%s: is not a whole shard; remove it, or name another file", r.path)
	}
	program.Printf(status, "%v; it is drawn again", err)
	return false, nil
}

// draw draws the shard and writes its file. It returns the shard's proportion of the plan.
func (r *shardRun) draw(status io.Writer, stop *program.Shutdown) (proportion float64, err error) {
	folder := filepath.Dir(r.path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return 0, fmt.Errorf("the folder %s cannot be made: %w", folder, err)
	}
	replace.SyncFolder(filepath.Dir(folder))
	own := r.schedule.Select(r.share)
	nodes, err := r.openRecord(status, own)
	if err != nil {
		return 0, err
	}
	defer nodes.Close()
	if r.fresh {
		err := stop.Finish(func() error {
			_, err := nodes.Drop(func(store.ID) bool { return true })
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	sampling.PrintFound(status, own, nodes)
	sampling.PrintDuration(status, own, nodes, r.workers)
	if err := sampling.Record(stop, nodes, own, r.workers, status); err != nil {
		return 0, err
	}
	err = stop.Replace(func() error {
		err := shard.Write(r.path, r.schedule, r.share, nodes)
		if err == nil {
			return nodes.Remove()
		}
		if isWhole, _ := r.isWhole(io.Discard); isWhole { // another process wrote it
			return nodes.Remove()
		}
		return err
	})
	return own.Components() / r.schedule.Components(), err
}

// recordPath returns the path of the file with the progress of the shard.
func (r *shardRun) recordPath() string { return r.path + ".part" }

// openRecord opens the record of the shard. If another process has it, as when a scheduler starts a
// task twice, this one draws without it: both write the same file.
func (r *shardRun) openRecord(status io.Writer, own *schedule.Schedule) (*store.Store, error) {
	nodes, err := store.Open(r.recordPath(), run.Origin(own.Plan))
	if used, ok := errors.AsType[store.InUseError](err); ok {
		program.Printf(status, "%s has %s; this one draws without it, and writes the same file", used.Holder, used.Path)
		return store.New(run.Origin(own.Plan)), nil
	}
	return nodes, err
}

// removeRecord removes the record of a whole shard, and its lock, unless another process has them.
func (r *shardRun) removeRecord() {
	if nodes, err := store.Open(r.recordPath(), run.Origin(r.schedule.Plan)); err == nil {
		_ = nodes.Remove()
	}
}

// printUneven says if there are too many shards for equal costs.
func (r *shardRun) printUneven(status io.Writer) {
	maxEqual, cell := r.schedule.MaxUsefulShards()
	if r.share.Count <= maxEqual {
		return
	}
	program.Printf(status, "%d shards cost not the same: one block of %s is more than a tenth of a shard; "+
		"up to %d cost the same within a tenth", r.share.Count, cell, maxEqual)
}

// shardFiles returns the files of shards that arguments name: files, and folders with such files.
func shardFiles(args []string) (paths []string, err error) {
	const wanted = "merge wants files of shards, or folders with *" + shardExtension + " in them"
	for _, arg := range args {
		if arg == "" {
			return nil, errors.New("an argument is empty; " + wanted)
		}
		info, err := os.Stat(arg)
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s: does not exist; %s", arg, wanted)
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
