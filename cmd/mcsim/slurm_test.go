//go:build slurm

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shards is in how many parts the plan of the tests is drawn: twice as many as nodes.
const shards = 2 * nodes

// The printed script, run on a Slurm of several nodes, gives the bytes of a single run,
// whatever happens to nodes, tasks, the controller and files meanwhile.
func TestSlurm(t *testing.T) {
	single := singleRun(t)
	c := newCluster(t)
	for _, s := range []struct {
		name string
		run  func(*testing.T, *scenario)
	}{
		{"undisturbed", func(t *testing.T, s *scenario) { s.runs(t, 0); s.ends(t) }},
		{"node lost", nodeLost},
		{"task killed", taskKilled},
		{"controller restarted", controllerRestarted},
		{"controller lost", controllerLost},
		{"job requeued", jobRequeued},
		{"shard written twice", writtenTwice},
		{"missing and corrupt shards", missingAndCorrupt},
		{"partial resubmission", partial},
		{"merge before its time", mergeEarly},
		{"more shards than an array has tasks", longArray},
	} {
		t.Run(s.name, func(t *testing.T) {
			c.ready(t)
			at := newScenario(t, c)
			s.run(t, at)
			at.has(t, single)
		})
	}
}

// nodeLost: a node goes away while a task draws there. The task is queued again, and goes on
// elsewhere.
func nodeLost(t *testing.T, s *scenario) {
	s.runs(t, 0)
	task := s.stopped(t, 2)
	on := slices.IndexFunc(s.c.nodes[:], func(d *daemon) bool { return d.args[len(d.args)-1] == s.task(t, 2).node })
	if on < 0 {
		t.Fatal("the task has no node")
	}
	s.c.nodes[on].end(syscall.SIGKILL)
	syscall.Kill(task.parent, syscall.SIGKILL) // slurmstepd, before it could report what it ran
	syscall.Kill(task.pid, syscall.SIGKILL)
	s.c.until(t, "the task is queued again", func() bool { return s.task(t, 2).state == "PENDING" })
	s.ends(t)
	s.c.nodes[on].start(t, s.c.path(nodeName(on)+".out"))
}

// taskKilled: a task is killed, which Slurm does not queue again. The merge says how it is.
func taskKilled(t *testing.T, s *scenario) {
	s.runs(t, 0)
	syscall.Kill(s.stopped(t, 3).pid, syscall.SIGKILL)
	s.lacks(t, "3")
	s.runs(t, 0, "3")
	s.ends(t)
}

// controllerRestarted: slurmctld ends, shards are finished meanwhile, and it starts again.
func controllerRestarted(t *testing.T, s *scenario) {
	s.runs(t, 0)
	task := s.stopped(t, 2)
	s.c.controller.end(syscall.SIGTERM)
	syscall.Kill(task.pid, syscall.SIGCONT)
	s.c.until(t, "a shard is written while there is no controller", func() bool { return s.written(2) })
	s.c.controller.start(t, s.c.path("slurmctld.out"))
	s.ends(t)
}

// writtenTwice: another process draws a shard while the task for it does, and both end.
func writtenTwice(t *testing.T, s *scenario) {
	s.runs(t, 0)
	task := s.stopped(t, 2)
	s.mcsim(t, "run", filepath.Join(shardFolder, "plan.yaml"), "--shard", fmt.Sprintf("2/%d", shards), "-o", s.shard(2))
	if !s.written(2) {
		t.Fatal("the second process wrote no shard")
	}
	syscall.Kill(task.pid, syscall.SIGCONT)
	s.ends(t)
}

// controllerLost: slurmctld is killed, and may forget what it was asked for. The script is
// run again, and what is drawn is not drawn again.
func controllerLost(t *testing.T, s *scenario) {
	s.runs(t, 0)
	s.c.until(t, "a shard is written", func() bool { return s.written(0) })
	s.c.controller.end(syscall.SIGKILL)
	s.c.controller.start(t, s.c.path("slurmctld.out"))
	s.c.until(t, "the controller answers", func() bool {
		_, err := s.c.try("scontrol", "ping")
		_, failed := s.c.queue()
		return err == nil && failed == nil
	})
	before, err := os.Stat(s.shard(0))
	if err != nil {
		t.Fatal(err)
	}
	s.runs(t, 0)
	s.endsOrAsksNodes(t)
	if after, err := os.Stat(s.shard(0)); err != nil || !os.SameFile(before, after) {
		t.Errorf("the first shard was written again (%v)", err)
	}
}

// jobRequeued: a task is queued again while it draws.
func jobRequeued(t *testing.T, s *scenario) {
	s.runs(t, 0)
	s.stopped(t, 1)
	s.c.ask(t, "scontrol", "requeue", s.task(t, 1).id)
	s.c.until(t, "the task is queued again", func() bool { return s.task(t, 1).state == "PENDING" })
	s.ends(t)
}

// missingAndCorrupt: when all is drawn, a shard is lost and another has a byte turned.
func missingAndCorrupt(t *testing.T, s *scenario) {
	s.runs(t, 0)
	s.c.ask(t, "scontrol", "hold", s.merge(t).id)
	s.c.until(t, "all shards are written", func() bool {
		for i := range shards {
			if !s.written(i) {
				return false
			}
		}
		jobs, err := s.c.queue()
		return err == nil && len(jobs) == 1
	})
	s.spoil(t, 1, 5)
	s.c.ask(t, "scontrol", "release", s.merge(t).id)
	s.lacks(t, "1,5")
	s.runs(t, 0, "1,5")
	s.ends(t)
}

// endsOrAsksNodes waits for the end of the merge, where the controller may have forgotten that
// a task ended: it asks the nodes when it begins, but believes them only of tasks that began
// some time before (Slurm's BatchStartTimeout and MessageTimeout). So it begins once more.
func (s *scenario) endsOrAsksNodes(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(patience / 2); !s.idle(); time.Sleep(time.Second) {
		if time.Now().After(end) {
			s.c.controller.end(syscall.SIGTERM)
			s.c.controller.start(t, s.c.path("slurmctld.out"))
			break
		}
	}
	s.ends(t)
}

// partial: some shards are drawn, then those that the merge misses.
func partial(t *testing.T, s *scenario) {
	s.runs(t, 0, "5-6,2")
	s.lacks(t, "0-1,3-4,7")
	s.runs(t, 0, "0-1,3-4,7")
	s.ends(t)
	s.refuses(t)
}

// mergeEarly: the merge begins while a task has still to draw. It gives up its place until
// there is nothing to wait for.
func mergeEarly(t *testing.T, s *scenario) {
	s.runs(t, 0)
	s.c.ask(t, "scontrol", "hold", s.task(t, 7).id)
	s.c.ask(t, "scontrol", "update", "JobId="+s.merge(t).id, "Dependency=")
	s.c.until(t, "the merge is queued again", func() bool {
		return strings.Contains(s.log(), "waiting for the shards") && s.merge(t).reason == "BeginTime"
	})
	if s.written(7) {
		t.Fatal("the task that is held has drawn")
	}
	s.c.ask(t, "scontrol", "release", s.task(t, 7).id)
	s.ends(t)
}

// longArray: the cluster takes fewer tasks than there are shards. Tasks 0 to 2 have two each.
func longArray(t *testing.T, s *scenario) {
	s.print(t, "slurm", shards+3, "--max-array", strconv.Itoa(shards))
	s.runs(t, 0, "2")
	s.lacks(t, "0-1,3-9") // 10 is of task 2 too
	s.runs(t, 0, "0-1,3-9")
	s.ends(t)
}

// scenario is a user's work on a cluster.
type scenario struct {
	*user
	c *cluster
}

// newScenario is a folder with the plan and the script of its shards.
func newScenario(t *testing.T, c *cluster) *scenario {
	t.Helper()
	dir, err := os.MkdirTemp(c.dir, "it's $(a) user ")
	if err != nil {
		t.Fatal(err)
	}
	s := &scenario{&user{dir: dir, env: []string{"SLURM_CONF=" + c.path("slurm.conf")}}, c}
	s.print(t, "slurm", shards)
	return s
}

// task is the task of an array that draws a shard; without an id where there is none.
func (s *scenario) task(t *testing.T, i int) job {
	t.Helper()
	return s.job(t, func(j job) bool {
		return !strings.HasSuffix(j.name, "-merge") && strings.HasSuffix(j.id, "_"+strconv.Itoa(i))
	})
}

// merge is the job that merges.
func (s *scenario) merge(t *testing.T) job {
	t.Helper()
	return s.job(t, func(j job) bool { return strings.HasSuffix(j.name, "-merge") })
}

func (s *scenario) job(t *testing.T, fits func(job) bool) job {
	t.Helper()
	jobs, err := s.c.queue()
	if err != nil {
		return job{}
	}
	if i := slices.IndexFunc(jobs, fits); i >= 0 {
		return jobs[i]
	}
	return job{}
}

// stopped waits until a task draws, and stops it there.
func (s *scenario) stopped(t *testing.T, shard int) (found hosted) {
	t.Helper()
	s.c.until(t, fmt.Sprintf("shard %d is drawn", shard), func() bool {
		at := s.drawing(shard, shards)
		if len(at) == 0 {
			return false
		}
		found = at[0]
		if err := syscall.Kill(found.pid, syscall.SIGSTOP); err != nil {
			t.Fatalf("shard %d was drawn before it could be stopped: %v", shard, err)
		}
		return true
	})
	return found
}

// log is what the merge says.
func (s *scenario) log() string {
	text, _ := os.ReadFile(filepath.Join(s.dir, shardFolder, "merge.log"))
	return string(text)
}

// idle lets jobs that were queued again begin, and reports whether none is left.
func (s *scenario) idle() bool {
	s.c.hasten()
	jobs, err := s.c.queue()
	return err == nil && len(jobs) == 0
}

// lacks waits for the end of the merge, which says which shards to submit again.
func (s *scenario) lacks(t *testing.T, indices string) {
	t.Helper()
	s.c.until(t, "the merge has ended", s.idle)
	if want := "sh run.sh " + indices + "\n"; !strings.HasSuffix(s.log(), want) {
		t.Errorf("the merge says %q, want %q at its end", s.log(), want)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "out", "results.json")); err == nil {
		t.Error("there are results, though shards are missing")
	}
}

// ends waits for the end of the merge.
func (s *scenario) ends(t *testing.T) {
	t.Helper()
	s.c.until(t, "the merge has ended", s.idle)
}

// written reports whether a shard stands in its place.
func (u *user) written(i int) bool {
	_, err := os.Stat(u.shard(i))
	return err == nil
}
