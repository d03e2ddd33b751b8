package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/replace"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/run"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/engine/shard"
	"mcsim/sim/names"
)

// extension is that of files of shards.
const extension = ".shard"

// readShard reads the shard that a flag asks for: i/N.
func (f *runFlags) readShard(text string) error {
	index, of, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if cmp.Or(err, err2) != nil || n < 1 || n > schedule.MaxShares || i < 0 || i >= n {
		return fmt.Errorf("%q is no shard: it wants i/N with N in 1..%d and i in 0..N−1, such as 3/200", text, schedule.MaxShares)
	}
	f.shard, f.of = i, n
	return nil
}

// record is the file that a shard is recorded in while it is drawn.
func record(path string) string { return path + ".part" }

// drawShard draws a shard of a plan and writes its file. A file that is whole is left as it is.
func (f *runFlags) drawShard(ctx context.Context, out, status io.Writer, p *plan.Plan) error {
	path, usual := f.dir, strconv.Itoa(f.shard)+extension
	switch info, err := os.Lstat(path); {
	case err == nil && info.Mode().Type()&^os.ModeDir != 0:
		return fmt.Errorf("%s: is no regular file; --shard wants one with -o, such as -o %s", path, usual)
	case err == nil && info.IsDir(), os.IsPathSeparator(path[len(path)-1]):
		return fmt.Errorf("%s: is a folder; --shard wants a file with -o, such as -o %s", path, filepath.Join(path, usual))
	}
	begun := time.Now()
	if path == "-" {
		return errors.New("-o -: a shard is written to a file, which can be put in its place whole; name one")
	}
	s, err := schedule.New(p)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Title(), err)
	}
	part := s.Share(f.shard, f.of)
	if whole, err := f.drawnAlready(status, s, part); whole || err != nil {
		if whole {
			tidy(record(path), s)
			fmt.Fprintf(out, "%s: is whole already: shard %v of %s\n", names.Printable(path), part, s.Plan.Title())
		}
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", filepath.Dir(path), err)
	}
	replace.SyncFolder(filepath.Dir(filepath.Dir(path)))
	uneven(status, s, part)
	own := s.Only(part)
	nodes, err := openRecord(status, own, path)
	if err != nil {
		return err
	}
	defer nodes.Close()
	if f.fresh {
		if _, err := nodes.Drop(func(store.Key) bool { return true }); err != nil {
			return err
		}
	}
	folder.Found(status, own, nodes)
	folder.Warn(status, own, nodes, f.workers)
	if err := folder.Draw(ctx, nodes, own, f.workers, status); err != nil {
		return err
	}
	if err := shard.Write(path, s, part, nodes); err != nil {
		if whole, _ := f.drawnAlready(io.Discard, s, part); !whole { // nor has another process written it
			return err
		}
	}
	if err := nodes.Remove(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: shard %v of %s, %.3g %% of it, in %v\n", names.Printable(path), part, s.Plan.Title(), 100*own.Components()/s.Components(), time.Since(begun).Round(10*time.Millisecond))
	return nil
}

// drawnAlready reports whether the shard is drawn already. A file that is damaged is said, and drawn again.
func (f *runFlags) drawnAlready(status io.Writer, s *schedule.Schedule, part schedule.Share) (bool, error) {
	path := f.dir
	if f.fresh {
		return false, nil
	}
	whole, err := shard.Holds(path, s, part)
	switch {
	case !errors.As(err, new(shard.Error)):
		return whole, err
	case filepath.Ext(path) != extension:
		return false, fmt.Errorf("%s: is no whole shard; remove it, or name another file", path)
	}
	folder.Say(status, "%v; it is drawn again", err)
	return false, nil
}

// openRecord opens the record of a shard. Where another process has it, as when a scheduler starts a task twice, this
// one goes without: the file that both write is the same.
func openRecord(status io.Writer, s *schedule.Schedule, path string) (*store.Store, error) {
	nodes, err := store.Open(record(path), run.Origin(s.Plan))
	if used := (store.InUseError{}); errors.As(err, &used) {
		folder.Say(status, "%s has %s; this one draws without it, and writes the same file", used.Holder, used.Path)
		return store.New(run.Origin(s.Plan)), nil
	}
	return nodes, err
}

// tidy removes the record of a shard that is whole, and its lock, unless another process has them.
func tidy(path string, s *schedule.Schedule) {
	if nodes, err := store.Open(path, run.Origin(s.Plan)); err == nil {
		_ = nodes.Remove()
	}
}

// uneven says where shards cannot cost the same.
func uneven(status io.Writer, s *schedule.Schedule, part schedule.Share) {
	if most, cell := s.MostShares(); part.Of > most {
		folder.Say(status, "%d shards cost not the same: one block of %s is more than a tenth of a shard; up to %d cost the same within a tenth", part.Of, cell, most)
	}
}

// shardFiles are the files of shards that arguments name: files, and folders with files of shards in them.
func shardFiles(args []string) (paths []string, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case arg == "":
			return nil, errors.New("an argument is empty; merge wants files of shards, or folders with *" + extension + " in them")
		case errors.Is(err, os.ErrNotExist):
			return nil, fmt.Errorf("%s: does not exist; merge wants files of shards, or folders with *%s in them", arg, extension)
		case err != nil:
			return nil, err
		case !info.IsDir():
			paths = append(paths, arg)
			continue
		}
		inside, err := os.ReadDir(arg)
		if err != nil {
			return nil, err
		}
		for _, f := range inside {
			path := filepath.Join(arg, f.Name())
			if info, err := os.Stat(path); filepath.Ext(path) == extension && err == nil && info.Mode().IsRegular() {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if len(paths) == 0 {
		return nil, shard.Error{Kind: shard.Missing, Text: fmt.Sprintf("no *%s is in %s", extension, strings.Join(args, ", "))}
	}
	return paths, nil
}

// mergedFrom says what files were merged.
func mergedFrom(m *shard.Merged) string {
	return " from " + show.Counted(m.Files, "shard") + ", drawn on " + strings.Join(m.Architectures, " and ")
}
