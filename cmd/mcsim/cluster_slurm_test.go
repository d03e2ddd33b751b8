//go:build slurm

package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	account "os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nodeCount is the number of slurmd processes, each with one processor.
const nodeCount = 4

// eventTimeout is the longest time to wait for an event.
const eventTimeout = 2 * time.Minute

// cluster is a separate Slurm cluster on this host: the daemons munged and slurmctld, and a slurmd
// for each node. All of them run in the foreground, with a new key and free ports, and have their
// files below one folder.
type cluster struct {
	dir        string
	munged     *daemon
	controller *daemon
	nodes      [nodeCount]*daemon
}

// daemon is a program that runs until it is stopped.
type daemon struct {
	args []string
	env  []string
	cmd  *exec.Cmd
	done chan struct{}
}

// start starts the program and appends its output to the file log.
func (d *daemon) start(t *testing.T, log string) {
	t.Helper()
	f, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d.cmd, d.done = exec.Command(d.args[0], d.args[1:]...), make(chan struct{})
	d.cmd.Env, d.cmd.Stdout, d.cmd.Stderr = append(os.Environ(), d.env...), f, f
	d.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		d.cmd.Wait()
		close(d.done)
	}()
}

// stop sends a signal, and waits until the program has ended.
func (d *daemon) stop(signal syscall.Signal) {
	if d == nil || d.cmd == nil || d.cmd.Process == nil {
		return
	}
	d.cmd.Process.Signal(signal)
	select {
	case <-d.done:
	case <-time.After(eventTimeout):
		d.cmd.Process.Kill()
		<-d.done
	}
}

// findProgram returns the path of a program. It also searches the folders for programs of root,
// where Debian installs the daemons.
func findProgram(t *testing.T, name string) string {
	t.Helper()
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), "/usr/sbin", "/sbin") {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	t.Fatalf("there is no %s; .ci/tools slurm installs it", name)
	return ""
}

// findFreePorts returns free ports of the loopback address.
func findFreePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// newCluster starts a cluster, and waits until all nodes are idle.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	dir, err := os.MkdirTemp("", "slurm") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{dir: dir}
	t.Cleanup(func() { c.close(t) })
	key := make([]byte, 1024)
	rand.Read(key)
	if err := errors.Join(os.WriteFile(c.path("key"), key, 0o400), os.Mkdir(c.path("state"), 0o700),
		os.WriteFile(c.path("slurm.conf"), c.configuration(t), 0o600)); err != nil {
		t.Fatal(err)
	}
	c.munged = &daemon{args: []string{findProgram(t, "munged"), "--foreground", "--force", "--num-threads=2",
		"--key-file=" + c.path("key"), "--socket=" + c.path("munge"),
		"--pid-file=" + c.path("munged.pid"), "--seed-file=" + c.path("seed"), "--log-file=" + c.path("munged.log")}}
	c.munged.start(t, c.path("munged.out"))
	c.waitFor(t, "munged listens", func() bool { _, err := os.Stat(c.path("munge")); return err == nil })
	env := []string{"SLURM_CONF=" + c.path("slurm.conf")}
	c.controller = &daemon{args: []string{findProgram(t, "slurmctld"), "-D", "-f", c.path("slurm.conf")}, env: env}
	c.controller.start(t, c.path("slurmctld.out"))
	for i := range c.nodes {
		c.nodes[i] = &daemon{args: []string{findProgram(t, "slurmd"), "-D", "-f", c.path("slurm.conf"), "-N",
			nodeName(i)}, env: env}
		c.nodes[i].start(t, c.path(nodeName(i)+".out"))
	}
	c.waitUntilIdle(t)
	return c
}

func nodeName(i int) string { return fmt.Sprint("n", i) }

func (c *cluster) path(name string) string { return filepath.Join(c.dir, name) }

// configuration returns slurm.conf. The nodes have different ports. The timeouts are short, so that
// the controller notices a lost node soon.
func (c *cluster) configuration(t *testing.T) []byte {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	currentUser, err := account.Current()
	if err != nil {
		t.Fatal(err)
	}
	hostName, _, _ := strings.Cut(host, ".")
	ports := findFreePorts(t, nodeCount+1)
	var b strings.Builder
	fmt.Fprintf(&b, `ClusterName=mcsim
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=%[3]s
SlurmdUser=%[3]s
AuthType=auth/munge
AuthInfo=socket=%[4]s/munge
CredType=cred/munge
StateSaveLocation=%[4]s/state
SlurmctldPidFile=%[4]s/slurmctld.pid
SlurmdPidFile=%[4]s/%%n.pid
SlurmdSpoolDir=%[4]s/%%n
SlurmdParameters=config_overrides
SlurmctldTimeout=10
SlurmdTimeout=6
MessageTimeout=5
KillWait=2
MaxArraySize=%[6]d
JobRequeue=0
ReturnToService=2
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
PlugStackConfig=/dev/null
PartitionName=all Nodes=n[0-%[5]d] Default=YES MaxTime=INFINITE State=UP
`, hostName, ports[nodeCount], currentUser.Username, c.dir, nodeCount-1, shardCount)
	for i := range nodeCount {
		fmt.Fprintf(&b, "NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=1 RealMemory=100 "+
			"State=UNKNOWN\n", nodeName(i), hostName, ports[i])
	}
	return []byte(b.String())
}

// close stops all processes and removes the folder. If the test failed, it keeps the folder with
// the logs.
func (c *cluster) close(t *testing.T) {
	if c.controller != nil {
		c.tryCommand("scancel", "--user="+strconv.Itoa(os.Getuid()))
	}
	for _, d := range append(c.nodes[:], c.controller, c.munged) {
		d.stop(syscall.SIGTERM)
	}
	for _, p := range findProcesses(func(p hostProcess) bool { return p.isBelow(c.dir) }) {
		syscall.Kill(p.pid, syscall.SIGKILL)
	}
	if t.Failed() {
		t.Logf("the logs of Slurm are in %s", c.dir)
		return
	}
	os.RemoveAll(c.dir)
}

// tryCommand runs a command of Slurm and returns its output.
func (c *cluster) tryCommand(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+c.path("slurm.conf"))
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// mustRun runs a command of Slurm, which must succeed.
func (c *cluster) mustRun(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := c.tryCommand(name, args...)
	if err != nil {
		t.Fatalf("%s %q: %v: %s", name, args, err, out)
	}
	return out
}

// waitFor waits for an event, up to eventTimeout.
func (c *cluster) waitFor(t *testing.T, event string, hasHappened func() bool) {
	t.Helper()
	for end := time.Now().Add(eventTimeout); !hasHappened(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			queue, _ := c.tryCommand("squeue", "--noheader", "--format=%i %j %T %r %N")
			t.Fatalf("waited %v in vain until %s; the queue is\n%s", eventTimeout, event, queue)
		}
	}
}

// waitUntilIdle waits until all nodes are idle.
func (c *cluster) waitUntilIdle(t *testing.T) {
	t.Helper()
	c.waitFor(t, "all nodes are idle", func() bool {
		out, err := c.tryCommand("sinfo", "--noheader", "--Node", "--format=%T")
		return err == nil && slices.Equal(strings.Fields(out), slices.Repeat([]string{"idle"}, nodeCount))
	})
}

// job is a line of the queue.
type job struct{ id, name, state, reason, node string }

// listJobs returns the jobs that have not ended. Each task of an array is a job.
func (c *cluster) listJobs() (jobs []job, err error) {
	out, err := c.tryCommand("squeue", "--noheader", "--array", "--format=%i|%j|%T|%r|%N")
	if err != nil {
		return nil, errors.New(out)
	}
	for line := range strings.Lines(out) {
		if f := strings.Split(strings.TrimSpace(line), "|"); len(f) == 5 {
			jobs = append(jobs, job{f[0], f[1], f[2], f[3], f[4]})
		}
	}
	return jobs, nil
}

// startRequeued starts requeued jobs at once; Slurm would wait two minutes.
func (c *cluster) startRequeued() {
	jobs, _ := c.listJobs()
	for _, j := range jobs {
		if j.state == "PENDING" && j.reason == "BeginTime" {
			c.tryCommand("scontrol", "update", "JobId="+j.id, "StartTime=now")
		}
	}
}
