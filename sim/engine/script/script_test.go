package script

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	goyaml "github.com/goccy/go-yaml"

	"mcsim/sim/simtest"
)

// hostileNames lists names that a shell, YAML or a template might misinterpret.
var hostileNames = []string{
	"plain", "two words", "it's", `"quoted"`, "$(touch stray)", "`touch stray`", "$HOME", "a;touch stray", "-n", "--",
	"{{.Name}}", "{}", "#none", "*", "é ✓", "!history", "~", "a&b|c<d>e", "<<x", "'end of the task'",
}

func findEngine(t *testing.T, name string) Engine {
	t.Helper()
	i := slices.IndexFunc(Engines, func(e Engine) bool { return e.Name == name })
	if i < 0 {
		t.Fatalf("no engine is called %s", name)
	}
	return Engines[i]
}

// TestQuoteYAML checks that a YAML parser reads a quoted text as the original text.
func TestQuoteYAML(t *testing.T) {
	texts := append(slices.Clone(hostileNames), "a\nb\ttab", "\u007f\u0085\u2028\ufeff", "\U0001F600", `\u0041`,
		"- a: b", "yes", "1e3", "%TAG")
	for _, text := range texts {
		quoted, err := quoteYAML(text)
		simtest.Must(t, err)
		var got struct{ A string }
		if err := goyaml.Unmarshal([]byte("a: "+quoted+"\n"), &got); err != nil {
			t.Errorf("%s: %v", quoted, err)
		} else if got.A != text {
			t.Errorf("the parser reads %s as %q, want %q", quoted, got.A, text)
		}
	}
}

// stubs holds shell scripts that replace the programs of Slurm and mcsim. sbatch and mcsim record
// their arguments in the file $CALLS.
var stubs = map[string]string{
	// sbatch runs its standard input at once, for each task.
	"sbatch": `for a; do case $a in --array=*) tasks=${a#*=} ;; --job-name=*) name=${a#*=} ;; esac; done
printf '%s|' "$@" >>"$CALLS"; echo >>"$CALLS"
cat >"$CALLS.job"
case $name in
*-merge) SLURM_JOB_ID=2 sh "$CALLS.job" >&2 || exit ;;
*) for i in $(seq "${tasks%%-*}" "${tasks##*-}"); do SLURM_ARRAY_TASK_ID=$i sh "$CALLS.job" || exit; done ;;
esac
echo "17;cluster"`,
	"squeue": `exit 0`,
	// The file of a shard consists of its name and the plan.
	"mcsim": `printf '%s|' "$@" >>"$CALLS"; echo >>"$CALLS"
case $1 in
run) for a; do out=$a; done; { echo "$4"; cat -- "$2"; } >"$out" ;;
merge) for a; do out=$a; done; mkdir -p -- "$out"; cat -- "$2"/0-of-*.shard >"$out/results.json"; echo verdict; exit ${CODE:-0} ;;
esac`,
}

// user runs scripts in the folder dir, with the stubs in PATH.
type user struct {
	dir string
	env []string
}

func newUser(t *testing.T) user {
	t.Helper()
	programs, dir := t.TempDir(), t.TempDir()
	for name, text := range stubs {
		simtest.Must(t, os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	}
	return user{dir, append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"),
		"CALLS="+filepath.Join(programs, "calls"))}
}

// run runs a script in the folder. It returns what the script prints, and its exit code.
func (u user) run(text []byte, args ...string) (output string, code int) {
	if err := os.WriteFile(filepath.Join(u.dir, "run.sh"), text, 0o600); err != nil {
		return err.Error(), -1
	}
	c := exec.Command("sh", append([]string{"run.sh"}, args...)...)
	c.Dir, c.Env = u.dir, u.env
	printed, _ := c.CombinedOutput() // the exit code has the error
	return string(printed), c.ProcessState.ExitCode()
}

// TestHostileNames checks that a script for Slurm creates only its two folders, whatever their
// names, and that the plan that it samples has exactly the original text.
func TestHostileNames(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a shell some hundred times")
	}
	plan := "name: x # ' \" $(touch stray) `touch stray` $HOME \\ \\n\r\n" +
		"end of the plan\n'end of the task'\n{{.Name}}\n"
	for _, folder := range hostileNames {
		u := newUser(t)
		job := Job{Plan: folder, Text: []byte(plan), Count: 3, ShardsDir: folder, ResultsDir: "o " + folder}
		text, err := findEngine(t, "slurm").Write(job)
		if err != nil {
			t.Errorf("%q: %v", folder, err)
			continue
		}
		output, code := u.run(text)
		if code != 0 {
			t.Errorf("%q: got exit code %d, want 0: %s", folder, code, output)
			continue
		}
		// The stub of mcsim copies the first shard, its name and the plan, to the results.
		got, err := os.ReadFile(filepath.Join(u.dir, "o "+folder, "results.json"))
		simtest.Must(t, err)
		if want := "0/3\n" + plan; string(got) != want {
			t.Errorf("%q: the first shard is %q, want %q", folder, got, want)
		}
		files, err := os.ReadDir(u.dir)
		simtest.Must(t, err)
		var found []string
		for _, f := range files {
			found = append(found, f.Name())
		}
		want := []string{folder, "o " + folder, "run.sh"}
		slices.Sort(want)
		if !slices.Equal(found, want) {
			t.Errorf("%q: the folder of the script has the files %q, want %q", folder, found, want)
		}
	}
}

// TestWriteRefusesValues checks that an engine, or both engines, refuse a change of a valid job,
// with an error that contains the wanted text.
func TestWriteRefusesValues(t *testing.T) {
	valid := Job{Plan: "p", Text: []byte("name: p\n"), Count: 3, Kubernetes: Kubernetes{Image: "i", Claim: "c"}}
	for _, e := range Engines {
		if _, err := e.Write(valid); err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
	}
	for _, c := range []struct {
		engine string // name of the engine; empty for all
		change func(*Job)
		want   string
	}{
		{"", func(j *Job) { j.ShardsDir = "a\nb" }, "character"},
		{"", func(j *Job) { j.ResultsDir = "a\x1b[2J" }, "character"},
		{"", func(j *Job) { j.ResultsDir = "a\xff" }, "character"},
		{"", func(j *Job) { j.ResultsDir = "shards/" }, "same folder"},
		{"slurm", func(j *Job) { j.ShardsDir = "a%b" }, "special meaning"},
		{"slurm", func(j *Job) { j.ShardsDir = `a\b` }, "special meaning"},
		{"slurm", func(j *Job) { j.Slurm.Time = "1h" }, "time"},
		{"slurm", func(j *Job) { j.Slurm.Time = "1\n#SBATCH" }, "time"},
		{"slurm", func(j *Job) { j.Slurm.Memory = "1 G" }, "mem: Slurm does not accept"},
		{"slurm", func(j *Job) { j.Slurm.Partition = "a b" }, "partition"},
		{"k8s", func(j *Job) { j.Kubernetes.Image = "" }, "image"},
		{"k8s", func(j *Job) { j.Kubernetes.Image = "a b" }, "image"},
		{"k8s", func(j *Job) { j.Kubernetes.Claim = "" }, "claim"},
		{"k8s", func(j *Job) { j.Kubernetes.Claim = "A" }, "claim"},
		{"k8s", func(j *Job) { j.Kubernetes.Namespace = "a.b" }, "namespace"},
		{"k8s", func(j *Job) { j.Kubernetes.Memory = "1GB" }, "mem: Kubernetes does not accept"},
		{"k8s", func(j *Job) { j.ShardsDir = "/abs" }, "volume"},
		{"k8s", func(j *Job) { j.ShardsDir = "a/../../b" }, "volume"},
		{"k8s", func(j *Job) { j.ResultsDir = "." }, "volume"},
		{"k8s", func(j *Job) { j.Count = maxIndexes + 1 }, "indexes"},
		{"k8s", func(j *Job) { j.Text = make([]byte, maxPlanBytes+1) }, "ConfigMap"},
	} {
		for _, e := range Engines {
			if c.engine != "" && c.engine != e.Name {
				continue
			}
			j := valid
			c.change(&j)
			text, err := e.Write(j)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got the error %v, want one that contains %q", e.Name, err, c.want)
			}
			if len(text) > 0 {
				t.Errorf("%s: got a script in addition to the error %v", e.Name, err)
			}
		}
	}
}

// TestIndices checks which tasks the script for Slurm submits for a list of shards, also if a task
// samples several shards. The script must refuse lists that are not valid.
func TestIndices(t *testing.T) {
	submit := func(list string, count, maxArray int) (tasks string, code int) {
		u := newUser(t)
		job := Job{Plan: "p", Text: []byte("x"), Count: count, Slurm: Slurm{MaxArray: maxArray}}
		script, err := findEngine(t, "slurm").Write(job)
		simtest.Must(t, err)
		// The changed script writes the tasks to a file instead of submitting them.
		changed := strings.Replace(string(script), "sbatch --parsable", `echo "$tasks" >tasks; exit 0; sbatch`, 1)
		_, code = u.run([]byte(changed), list)
		text, err := os.ReadFile(filepath.Join(u.dir, "tasks"))
		if !errors.Is(err, os.ErrNotExist) {
			simtest.Must(t, err)
		}
		return strings.TrimSpace(string(text)), code
	}
	for _, c := range []struct {
		list            string
		count, maxArray int
		want            string
	}{
		{list: "0", count: 8, maxArray: 8, want: "0"},
		{list: "3,7-9", count: 200, maxArray: 1001, want: "3,7,8,9"},
		{list: "9-11,3", count: 12, maxArray: 8, want: "1,2,3"},
		{list: "0-11", count: 12, maxArray: 8, want: "0,1,2,3,4,5,6,7"},
		{list: "007", count: 8, maxArray: 8, want: "7"},
	} {
		if got, _ := submit(c.list, c.count, c.maxArray); got != c.want {
			t.Errorf("%q of %d shards in arrays of %d: got the tasks %q, want %q", c.list, c.count, c.maxArray, got,
				c.want)
		}
	}
	for _, list := range []string{
		"8", "0-8", "2-1", ",", "1,", "-", "1-2-3", "a", "1 2", "1\n2\nx", "4294967296", "1e0",
	} {
		if tasks, code := submit(list, 8, 8); tasks != "" || code != 2 {
			t.Errorf("%q of 8 shards: got the tasks %q and exit code %d, want none and 2", list, tasks, code)
		}
	}
}

// TestOtherPlan checks that a script refuses a folder with the shards of another plan and does not
// change the plan there.
func TestOtherPlan(t *testing.T) {
	u := newUser(t)
	runPlan := func(plan string) (output string, code int) {
		text, err := findEngine(t, "slurm").Write(Job{Plan: "p", Text: []byte(plan), Count: 2})
		simtest.Must(t, err)
		return u.run(text)
	}
	if output, code := runPlan("name: a\n"); code != 0 {
		t.Errorf("first plan: got exit code %d, want 0: %s", code, output)
	}
	if output, code := runPlan("name: b\n"); code != 2 || !strings.Contains(output, "another plan") {
		t.Errorf("second plan: got exit code %d, want 2 and a message about another plan: %s", code, output)
	}
	got, err := os.ReadFile(filepath.Join(u.dir, "shards", "plan.yaml"))
	simtest.Must(t, err)
	if want := "name: a\n"; string(got) != want {
		t.Errorf("the plan of the shards is %q, want %q", got, want)
	}
}

// TestMergeExitCodes checks that the script ends with the exit code of mcsim merge, and that it
// prints how to sample missing (4) or damaged (5) shards.
func TestMergeExitCodes(t *testing.T) {
	text, err := findEngine(t, "slurm").Write(Job{Plan: "p", Text: []byte("x"), Count: 2})
	simtest.Must(t, err)
	for code := range 9 {
		u := newUser(t)
		u.env = append(u.env, "CODE="+strconv.Itoa(code))
		output, got := u.run(text)
		if got != code {
			t.Errorf("merge ends with %d: got exit code %d: %s", code, got, output)
		}
		hasAdvice := strings.Contains(output, "to draw these: sh run.sh verdict")
		if wantAdvice := code == 4 || code == 5; hasAdvice != wantAdvice {
			t.Errorf("merge ends with %d: the output has the advice: %v, want %v: %s", code, hasAdvice, wantAdvice,
				output)
		}
	}
}

// TestName checks that names of jobs are valid host names and different for each plan and number of
// shards.
func TestName(t *testing.T) {
	const maxHostName, longestSuffix = 63, "-merge-99999"
	seen := map[string]bool{}
	plans := append(slices.Clone(hostileNames), strings.Repeat("x", 80), "", "Müller", strings.Repeat("a-", 40))
	for _, plan := range plans {
		for count := 1; count <= 2; count++ {
			j := Job{Plan: plan, Text: []byte(plan), Count: count}
			got := j.Name()
			if !regexp.MustCompile(labelPattern).MatchString(got) || len(got)+len(longestSuffix) > maxHostName {
				t.Errorf("the name of the jobs of %q is %q, want a label of at most %d characters with %q", plan, got,
					maxHostName, longestSuffix)
			}
			if seen[got] {
				t.Errorf("the name of the jobs of %q in %d shards is %q, want a unique name", plan, count, got)
			}
			seen[got] = true
		}
	}
}
