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

// shardCount is the number of shards of the tests' plan: twice the number of nodes.
const shardCount = 2 * nodeCount

// TestSlurm runs the printed script on a Slurm cluster with several nodes. The results must have
// the bytes of a single run, even if nodes, tasks, the controller or files fail.
func TestSlurm(t *testing.T) {
	single := runAlone(t)
	c := newCluster(t)
	for _, s := range []struct {
		name string
		run  func(*testing.T, *scenario)
	}{
		{"undisturbed", func(t *testing.T, s *scenario) { s.runScript(t, 0); s.waitForMerge(t) }},
		{"node lost", nodeLost},
		{"task killed", taskKilled},
		{"controller restarted", controllerRestarted},
		{"controller lost", controllerLost},
		{"job requeued", jobRequeued},
		{"shard written twice", writtenTwice},
		{"missing and corrupt shards", missingAndCorrupt},
		{"partial resubmission", partialResubmission},
		{"merge before its time", mergeEarly},
		{"more shards than an array has tasks", longArray},
	} {
		t.Run(s.name, func(t *testing.T) {
			c.waitUntilIdle(t)
			work := newScenario(t, c)
			s.run(t, work)
			work.checkResults(t, single)
		})
	}
}

// nodeLost kills the processes of a node while a task samples there. Slurm must requeue the task,
// which then continues on another node.
func nodeLost(t *testing.T, s *scenario) {
	s.runScript(t, 0)
	task := s.pauseTask(t, 2)
	nodeIndex := slices.IndexFunc(s.c.nodes[:],
		func(d *daemon) bool { return d.args[len(d.args)-1] == s.findTask(t, 2).node })
	if nodeIndex < 0 {
		t.Fatal("the task has no node")
	}
	s.c.nodes[nodeIndex].stop(syscall.SIGKILL)
	syscall.Kill(task.parent, syscall.SIGKILL) // slurmstepd, so that it cannot report the end of the task
	syscall.Kill(task.pid, syscall.SIGKILL)
	s.c.waitFor(t, "the task is queued again", func() bool { return s.findTask(t, 2).state == "PENDING" })
	s.waitForMerge(t)
	s.c.nodes[nodeIndex].start(t, s.c.path(nodeName(nodeIndex)+".out"))
}

// taskKilled kills a task, which Slurm does not requeue. The merge must report it.
func taskKilled(t *testing.T, s *scenario) {
	s.runScript(t, 0)
	syscall.Kill(s.pauseTask(t, 3).pid, syscall.SIGKILL)
	s.checkMissing(t, "3")
	s.runScript(t, 0, "3")
	s.waitForMerge(t)
}

// controllerRestarted stops slurmctld, lets shards finish, and starts it again.
func controllerRestarted(t *testing.T, s *scenario) {
	s.runScript(t, 0)
	task := s.pauseTask(t, 2)
	s.c.controller.stop(syscall.SIGTERM)
	syscall.Kill(task.pid, syscall.SIGCONT)
	s.c.waitFor(t, "a shard is written while there is no controller", func() bool { return s.isWritten(2) })
	s.c.controller.start(t, s.c.path("slurmctld.out"))
	s.waitForMerge(t)
}

// writtenTwice samples a shard in a second process while the task of the shard samples it, too.
func writtenTwice(t *testing.T, s *scenario) {
	s.runScript(t, 0)
	task := s.pauseTask(t, 2)
	s.mcsim(t, "run", filepath.Join(shardFolder, "plan.yaml"), "--shard", fmt.Sprintf("2/%d", shardCount), "-o",
		s.shardPath(2))
	if !s.isWritten(2) {
		t.Fatal("the second process wrote no shard")
	}
	syscall.Kill(task.pid, syscall.SIGCONT)
	s.waitForMerge(t)
}

// controllerLost kills slurmctld, which may then forget its jobs, and runs the script again. The
// new jobs must not sample complete shards again.
func controllerLost(t *testing.T, s *scenario) {
	s.runScript(t, 0)
	s.c.waitFor(t, "a shard is written", func() bool { return s.isWritten(0) })
	s.c.controller.stop(syscall.SIGKILL)
	s.c.controller.start(t, s.c.path("slurmctld.out"))
	s.c.waitFor(t, "the controller answers", func() bool {
		_, err := s.c.tryCommand("scontrol", "ping")
		_, queueErr := s.c.listJobs()
		return err == nil && queueErr == nil
	})
	before, err := os.Stat(s.shardPath(0))
	if err != nil {
		t.Fatal(err)
	}
	s.runScript(t, 0)
	s.waitOrRestartController(t)
	if after, err := os.Stat(s.shardPath(0)); err != nil || !os.SameFile(before, after) {
		t.Errorf("the complete shard 0 was written again (%v)", err)
	}
}

// jobRequeued requeues a task while it samples.
func jobRequeued(t *testing.T, s *scenario) {
	s.runScript(t, 0)
	s.pauseTask(t, 1)
	s.c.mustRun(t, "scontrol", "requeue", s.findTask(t, 1).id)
	s.c.waitFor(t, "the task is queued again", func() bool { return s.findTask(t, 1).state == "PENDING" })
	s.waitForMerge(t)
}

// missingAndCorrupt removes one shard and damages another after all shards were written.
func missingAndCorrupt(t *testing.T, s *scenario) {
	s.runScript(t, 0)
	s.c.mustRun(t, "scontrol", "hold", s.findMerge(t).id)
	s.c.waitFor(t, "all shards are written", func() bool {
		for i := range shardCount {
			if !s.isWritten(i) {
				return false
			}
		}
		jobs, err := s.c.listJobs()
		return err == nil && len(jobs) == 1
	})
	s.damageShards(t, 1, 5)
	s.c.mustRun(t, "scontrol", "release", s.findMerge(t).id)
	s.checkMissing(t, "1,5")
	s.runScript(t, 0, "1,5")
	s.waitForMerge(t)
}

// waitOrRestartController waits for the end of the merge, and restarts the controller if this takes
// long. A restarted controller asks the nodes which tasks have ended, but ignores the answers about
// tasks that began shortly before (Slurm's BatchStartTimeout and MessageTimeout). Only another
// restart makes it ask again.
func (s *scenario) waitOrRestartController(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(eventTimeout / 2); !s.hasEnded(); time.Sleep(time.Second) {
		if time.Now().After(end) {
			s.c.controller.stop(syscall.SIGTERM)
			s.c.controller.start(t, s.c.path("slurmctld.out"))
			break
		}
	}
	s.waitForMerge(t)
}

// partialResubmission samples some shards, and then those that the merge reports as missing.
func partialResubmission(t *testing.T, s *scenario) {
	s.runScript(t, 0, "5-6,2")
	s.checkMissing(t, "0-1,3-4,7")
	s.runScript(t, 0, "0-1,3-4,7")
	s.waitForMerge(t)
	s.checkRefusals(t)
}

// mergeEarly starts the merge before a task has sampled its shard. The merge must requeue itself
// until all tasks have ended.
func mergeEarly(t *testing.T, s *scenario) {
	s.runScript(t, 0)
	s.c.mustRun(t, "scontrol", "hold", s.findTask(t, 7).id)
	s.c.mustRun(t, "scontrol", "update", "JobId="+s.findMerge(t).id, "Dependency=")
	s.c.waitFor(t, "the merge is queued again", func() bool {
		return strings.Contains(s.readMergeLog(), "waiting for the shards") && s.findMerge(t).reason == "BeginTime"
	})
	if s.isWritten(7) {
		t.Fatal("the task wrote its shard although scontrol held it")
	}
	s.c.mustRun(t, "scontrol", "release", s.findTask(t, 7).id)
	s.waitForMerge(t)
}

// longArray splits the plan into more shards than the cluster accepts tasks. Tasks 0 to 2 have two
// shards each.
func longArray(t *testing.T, s *scenario) {
	s.writeScript(t, "slurm", shardCount+3, "--max-array", strconv.Itoa(shardCount))
	s.runScript(t, 0, "2")
	s.checkMissing(t, "0-1,3-9") // task 2 has sampled the shards 2 and 10
	s.runScript(t, 0, "0-1,3-9")
	s.waitForMerge(t)
}

// scenario is a user's work on a cluster.
type scenario struct {
	*user
	c *cluster
}

// newScenario makes a folder with the plan and the script for its shards.
func newScenario(t *testing.T, c *cluster) *scenario {
	t.Helper()
	dir, err := os.MkdirTemp(c.dir, "it's $(a) user ")
	if err != nil {
		t.Fatal(err)
	}
	s := &scenario{&user{dir: dir, env: []string{"SLURM_CONF=" + c.path("slurm.conf")}}, c}
	s.writeScript(t, "slurm", shardCount)
	return s
}

// findTask returns the task with index i of the job array; the id of the task is empty if there is
// none.
func (s *scenario) findTask(t *testing.T, i int) job {
	t.Helper()
	return s.findJob(t, func(j job) bool {
		return !strings.HasSuffix(j.name, "-merge") && strings.HasSuffix(j.id, "_"+strconv.Itoa(i))
	})
}

// findMerge returns the job that merges the shards.
func (s *scenario) findMerge(t *testing.T) job {
	t.Helper()
	return s.findJob(t, func(j job) bool { return strings.HasSuffix(j.name, "-merge") })
}

func (s *scenario) findJob(t *testing.T, matches func(job) bool) job {
	t.Helper()
	jobs, err := s.c.listJobs()
	if err != nil {
		return job{}
	}
	if i := slices.IndexFunc(jobs, matches); i >= 0 {
		return jobs[i]
	}
	return job{}
}

// pauseTask waits until a task samples the shard, and pauses the process of the task (SIGSTOP).
func (s *scenario) pauseTask(t *testing.T, shard int) (found hostProcess) {
	t.Helper()
	s.c.waitFor(t, fmt.Sprintf("shard %d is being sampled", shard), func() bool {
		sampling := s.findSampling(shard, shardCount)
		if len(sampling) == 0 {
			return false
		}
		found = sampling[0]
		if err := syscall.Kill(found.pid, syscall.SIGSTOP); err != nil {
			t.Fatalf("the process of shard %d ended before the test could stop it: %v", shard, err)
		}
		return true
	})
	return found
}

// readMergeLog returns the output of the merge.
func (s *scenario) readMergeLog() string {
	text, _ := os.ReadFile(filepath.Join(s.dir, shardFolder, "merge.log"))
	return string(text)
}

// hasEnded reports whether no job is left. It also starts requeued jobs, for which Slurm would
// wait.
func (s *scenario) hasEnded() bool {
	s.c.startRequeued()
	jobs, err := s.c.listJobs()
	return err == nil && len(jobs) == 0
}

// checkMissing waits for the end of the merge. The output of the merge must end with the command
// that submits the missing shards again.
func (s *scenario) checkMissing(t *testing.T, indices string) {
	t.Helper()
	s.waitForMerge(t)
	if want := "sh run.sh " + indices + "\n"; !strings.HasSuffix(s.readMergeLog(), want) {
		t.Errorf("the merge prints %q, want %q at the end", s.readMergeLog(), want)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "out", "results.json")); err == nil {
		t.Error("the merge wrote results although shards are missing")
	}
}

// waitForMerge waits for the end of all jobs; the merge is the last.
func (s *scenario) waitForMerge(t *testing.T) {
	t.Helper()
	s.c.waitFor(t, "the merge has ended", s.hasEnded)
}

// isWritten reports whether the file of a shard exists.
func (u *user) isWritten(i int) bool {
	_, err := os.Stat(u.shardPath(i))
	return err == nil
}
