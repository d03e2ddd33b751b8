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

// hostile has names that a shell, YAML or a template might misinterpret.
var hostile = []string{
	"plain", "two words", "it's", `"quoted"`, "$(touch stray)", "`touch stray`", "$HOME", "a;touch stray", "-n", "--",
	"{{.Name}}", "{}",
	"#none", "*", "é ✓", "!history", "~", "a&b|c<d>e", "<<x", "'end of the task'",
}

func findEngine(t *testing.T, name string) Engine {
	t.Helper()
	i := slices.IndexFunc(Engines, func(e Engine) bool { return e.Name == name })
	if i < 0 {
		t.Fatalf("no engine is called %s", name)
	}
	return Engines[i]
}

// TestYAML checks that a quoted text is the same after a YAML parser has read it.
func TestYAML(t *testing.T) {
	for _, text := range append(hostile, "a\nb\ttab", "\u007f\u0085\u2028\ufeff", "\U0001F600", `\u0041`, "- a: b",
		"yes", "1e3", "%TAG") {
		quoted, err := quoteYAML(text)
		simtest.Must(t, err)
		var got struct{ A string }
		if err := goyaml.Unmarshal([]byte("a: "+quoted+"\n"), &got); err != nil || got.A != text {
			t.Errorf("%s is %q in YAML (%v), want %q", quoted, got.A, err, text)
		}
	}
}

// stubs replace the programs of Slurm and mcsim, and record their arguments.
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

// user runs scripts in a folder, with the stubs in PATH.
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

// run runs a script in the folder.
func (u user) run(text []byte, args ...string) (string, int) {
	if err := os.WriteFile(filepath.Join(u.dir, "run.sh"), text, 0o600); err != nil {
		return err.Error(), -1
	}
	c := exec.Command("sh", append([]string{"run.sh"}, args...)...)
	c.Dir, c.Env = u.dir, u.env
	output, _ := c.CombinedOutput()
	return string(output), c.ProcessState.ExitCode()
}

// TestHostileNames checks that a script creates its two folders, whatever their names, and nothing
// else, and that it runs exactly the plan that it contains.
func TestHostileNames(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a shell some hundred times")
	}
	plan := "name: x # ' \" $(touch stray) `touch stray` $HOME \\ \\n\r\n" +
		"end of the plan\n'end of the task'\n{{.Name}}\n"
	for _, folder := range hostile {
		u := newUser(t)
		text, err := findEngine(t,
			"slurm").Write(Job{Plan: folder, Text: []byte(plan), Count: 3, ShardsDir: folder,
			ResultsDir: "o " + folder})
		if err != nil {
			t.Errorf("%q: %v", folder, err)
			continue
		}
		output, code := u.run(text)
		if code != 0 {
			t.Errorf("%q: exit code %d: %s", folder, code, output)
			continue
		}
		got, err := os.ReadFile(filepath.Join(u.dir, "o "+folder, "results.json"))
		if err != nil || string(got) != "0/3\n"+plan {
			t.Errorf("%q: the first shard is %q (%v)", folder, got, err)
		}
		var found []string
		files, err := os.ReadDir(u.dir)
		for _, f := range files {
			found = append(found, f.Name())
		}
		want := []string{folder, "o " + folder, "run.sh"}
		slices.Sort(want)
		if err != nil || !slices.Equal(found, want) {
			t.Errorf("the folder holds %q (%v), want %q", found, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	valid := Job{Plan: "p", Text: []byte("name: p\n"), Count: 3, Kubernetes: Kubernetes{Image: "i", Claim: "c"}}
	for _, e := range Engines {
		if _, err := e.Write(valid); err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
	}
	for _, c := range []struct {
		engine string
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
			if text, err := e.Write(j); err == nil || len(text) > 0 || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want an error with %q", e.Name, err, c.want)
			}
		}
	}
}

// TestIndices checks which tasks the script submits for a list of shards, also if a task samples
// several shards.
func TestIndices(t *testing.T) {
	for _, c := range []struct {
		text             string
		count, max, want string
	}{
		{"0", "8", "8", "0"},
		{"3,7-9", "200", "1001", "3,7,8,9"},
		{"9-11,3", "12", "8", "1,2,3"},
		{"0-11", "12", "8", "0,1,2,3,4,5,6,7"},
		{"007", "8", "8", "7"},
		{"8", "8", "8", ""}, {"0-8", "8", "8", ""}, {"2-1", "8", "8", ""}, {",", "8", "8", ""}, {"1,", "8", "8", ""},
		{"-", "8", "8", ""},
		{"1-2-3", "8", "8", ""}, {"a", "8", "8", ""}, {"1 2", "8", "8", ""}, {"1\n2\nx", "8", "8", ""},
		{"4294967296", "8", "8", ""}, {"1e0", "8", "8", ""},
	} {
		count, _ := strconv.Atoi(c.count)
		maxArray, _ := strconv.Atoi(c.max)
		u := newUser(t)
		text, err := findEngine(t,
			"slurm").Write(Job{Plan: "p", Text: []byte("x"), Count: count, Slurm: Slurm{MaxArray: maxArray}})
		simtest.Must(t, err)
		// Print the array of tasks in place of submitting it.
		_, code := u.run([]byte(strings.Replace(string(text), "sbatch --parsable",
			`echo "$tasks" >tasks; exit 0; sbatch`, 1)), c.text)
		got, err := os.ReadFile(filepath.Join(u.dir, "tasks"))
		switch {
		case c.want == "" && (code != 2 || !errors.Is(err, os.ErrNotExist)):
			t.Errorf("%q of %s shards: exit code %d, tasks %q", c.text, c.count, code, got)
		case c.want != "" && strings.TrimSpace(string(got)) != c.want:
			t.Errorf("%q of %s shards in arrays of %s: tasks %q (%v), want %s", c.text, c.count, c.max, got, err,
				c.want)
		}
	}
}

// TestOtherPlan checks that the script does not change a folder with another plan.
func TestOtherPlan(t *testing.T) {
	u := newUser(t)
	for i, plan := range []string{"name: a\n", "name: b\n"} {
		text, err := findEngine(t, "slurm").Write(Job{Plan: "p", Text: []byte(plan), Count: 2})
		simtest.Must(t, err)
		if output, code := u.run(text); code != 2*i || i == 1 && !strings.Contains(output, "another plan") {
			t.Errorf("plan %d: exit code %d: %s", i, code, output)
		}
	}
	if got, err := os.ReadFile(filepath.Join(u.dir, "shards", "plan.yaml")); err != nil || string(got) != "name: a\n" {
		t.Errorf("the plan of the shards is now %q (%v)", got, err)
	}
}

// TestCodes checks that the merging job ends with the exit code of mcsim merge.
func TestCodes(t *testing.T) {
	text, err := findEngine(t, "slurm").Write(Job{Plan: "p", Text: []byte("x"), Count: 2})
	simtest.Must(t, err)
	for code := range 9 {
		u := newUser(t)
		u.env = append(u.env, "CODE="+strconv.Itoa(code))
		output, got := u.run(text)
		again := strings.Contains(output, "to draw these: sh run.sh verdict")
		if got != code || again != (code == 4 || code == 5) {
			t.Errorf("a merge that ends with %d: %d, %s", code, got, output)
		}
	}
}

// TestName checks that names of jobs are valid host names and different for each plan and number of
// shards.
func TestName(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range append(hostile, strings.Repeat("x", 80), "", "Müller", strings.Repeat("a-", 40)) {
		for count := 1; count <= 2; count++ {
			j := Job{Plan: name, Text: []byte(name), Count: count}
			got := j.Name()
			if !regexp.MustCompile(dnsLabel).MatchString(got) || len(got)+len("-merge-99999") > 63 || seen[got] {
				t.Errorf("the jobs of %q are called %q", name, got)
			}
			seen[got] = true
		}
	}
}
