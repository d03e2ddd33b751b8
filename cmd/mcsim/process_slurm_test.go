//go:build slurm

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// hosted is a process of this host.
type hosted struct {
	pid, parent int
	args        []string
	dir         string
}

// below reports whether a process works in a folder or below it.
func (p hosted) below(dir string) bool { return strings.HasPrefix(p.dir+"/", dir+"/") }

// processes are those of this host that fit.
func processes(fit func(hosted) bool) (all []hosted) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		text, err := os.ReadFile(file)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || len(text) == 0 || pid == os.Getpid() {
			continue
		}
		dir, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
		p := hosted{pid: pid, dir: dir, args: strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, behind, ok := strings.Cut(string(stat), ") "); ok {
			if f := strings.Fields(behind); len(f) > 1 {
				p.parent, _ = strconv.Atoi(f[1])
			}
		}
		if fit(p) {
			all = append(all, p)
		}
	}
	return all
}

// drawing are the processes of a user that draw one of so many shards, and have begun to
// keep it.
func (u *user) drawing(shard, of int) []hosted {
	if _, err := os.Stat(u.shard(shard) + ".part"); err != nil {
		return nil
	}
	return processes(func(p hosted) bool {
		return p.below(u.dir) && slices.Contains(p.args, fmt.Sprintf("%d/%d", shard, of))
	})
}
