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

// hostProcess is a process on this host.
type hostProcess struct {
	pid, parent int
	args        []string
	dir         string
}

// isBelow reports whether the working folder of a process is dir or below it.
func (p hostProcess) isBelow(dir string) bool { return strings.HasPrefix(p.dir+"/", dir+"/") }

// findProcesses returns the processes of this host for which matches returns true, except for the
// test.
func findProcesses(matches func(hostProcess) bool) (found []hostProcess) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		text, err := os.ReadFile(file)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || len(text) == 0 || pid == os.Getpid() {
			continue
		}
		dir, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
		p := hostProcess{pid: pid, dir: dir, args: strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, fields, ok := strings.Cut(string(stat), ") "); ok {
			if f := strings.Fields(fields); len(f) > 1 {
				p.parent, _ = strconv.Atoi(f[1])
			}
		}
		if matches(p) {
			found = append(found, p)
		}
	}
	return found
}

// findSampling returns the processes of a user that sample the given one of count shards. It
// returns none before they have saved first samples of the shard.
func (u *user) findSampling(shard, count int) []hostProcess {
	if _, err := os.Stat(u.shardPath(shard) + ".part"); err != nil {
		return nil
	}
	return findProcesses(func(p hostProcess) bool {
		return p.isBelow(u.dir) && slices.Contains(p.args, fmt.Sprintf("%d/%d", shard, count))
	})
}
