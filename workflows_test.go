package mcsim_test

import (
	"fmt"
	"maps"
	"mcsim/sim/simtest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// workflow is what these tests read of a workflow.
type workflow struct {
	On          map[string]any    `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Jobs        map[string]struct {
		Permissions map[string]string `yaml:"permissions"`
		Timeout     int               `yaml:"timeout-minutes"`
		Uses        string            `yaml:"uses"`
		Steps       []step            `yaml:"steps"`
	} `yaml:"jobs"`
}

// step is one of a job: an action, or a script.
type step struct {
	ID   string            `yaml:"id"`
	Uses string            `yaml:"uses"`
	With map[string]any    `yaml:"with"`
	Env  map[string]string `yaml:"env"`
	Run  string            `yaml:"run"`
}

var (
	// pinned is an action by its commit, release a line that says which release that is.
	pinned  = regexp.MustCompile(`^([\w.-]+/[\w./-]+)@([0-9a-f]{40})$`)
	release = regexp.MustCompile(`(?m)^[ -]+uses: ([\w.-]+/[\w./-]+@[0-9a-f]{40}) # (v\d+\.\d+\.\d+)$`)
	// granted is what a job may do beyond reading the repository.
	granted = map[string][]string{"pages.yml publish": {"id-token: write", "pages: write"}, "release.yml publish": {"contents: write"}}
)

// faults are what a workflow does that none should.
func faults(name, text string) (found []string) {
	var w workflow
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		return []string{err.Error()}
	}
	fault := func(format string, of ...any) { found = append(found, fmt.Sprintf(format, of...)) }
	if !maps.Equal(w.Permissions, map[string]string{"contents": "read"}) {
		fault("may do %v, not read contents alone", w.Permissions)
	}
	for _, event := range []string{"pull_request_target", "workflow_run", "issue_comment"} {
		if _, ok := w.On[event]; ok {
			fault("runs on %s, with rights of its own on what others wrote", event)
		}
	}
	if len(w.Jobs) == 0 {
		fault("has no jobs")
	}
	released := map[string]bool{}
	for _, m := range release.FindAllStringSubmatch(text, -1) {
		released[m[1]] = true
	}
	for _, id := range slices.Sorted(maps.Keys(w.Jobs)) {
		job := w.Jobs[id]
		var may []string
		for _, what := range slices.Sorted(maps.Keys(job.Permissions)) {
			may = append(may, what+": "+job.Permissions[what])
		}
		if !slices.Equal(may, granted[name+" "+id]) {
			fault("the job %s may do %q", id, may)
		}
		if job.Timeout == 0 {
			fault("the job %s has no limit of time", id)
		}
		if job.Uses != "" && !strings.HasPrefix(job.Uses, "./") {
			fault("the job %s is %s, of another repository", id, job.Uses)
		}
		for _, s := range job.Steps {
			found = append(found, stepFaults(s, released)...)
		}
	}
	return found
}

// stepFaults are those of a step, released being the actions whose release is named.
func stepFaults(s step, released map[string]bool) (found []string) {
	action := pinned.FindStringSubmatch(s.Uses)
	switch {
	case s.Uses == "" || strings.HasPrefix(s.Uses, "./"):
	case action == nil:
		found = append(found, s.Uses+" is not named by a commit")
	case !released[s.Uses]:
		found = append(found, s.Uses+" does not say which release it is")
	}
	if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != false {
		found = append(found, "a checkout leaves its credentials behind")
	}
	if strings.Contains(s.Run, "${{") {
		found = append(found, fmt.Sprintf("a script is put together from an expression: %q", s.Run))
	}
	return found
}

// workflows are the texts of all workflows by name.
func workflows(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(".github/workflows/*")
	if err != nil || len(files) < 4 {
		t.Fatal("no workflows", err)
	}
	texts := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		simtest.Must(t, err)
		texts[filepath.Base(file)] = string(text)
	}
	return texts
}

// TestWorkflows: actions are named by commits, which no one can move, credentials stay
// out of reach of what is built, scripts are not put together from what others typed, and
// no job may do more than it must.
func TestWorkflows(t *testing.T) {
	commits := map[string]string{}
	for name, text := range workflows(t) {
		for _, fault := range faults(name, text) {
			t.Errorf("%s: %s", name, fault)
		}
		for _, m := range release.FindAllStringSubmatch(text, -1) {
			action, _, _ := strings.Cut(m[1], "@")
			if other := commits[action]; other != "" && other != m[0][strings.Index(m[0], "uses"):] {
				t.Errorf("%s is %s here and %s there", action, m[0], other)
			}
			commits[action] = m[0][strings.Index(m[0], "uses"):]
		}
	}
}

// TestSeedOfWorkflow runs the script that takes the seed: what is no number goes neither
// into the outputs, which later steps read, nor into the summary, nor on the terminal.
func TestSeedOfWorkflow(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	var w workflow
	simtest.Must(t, yaml.Unmarshal([]byte(workflows(t)["variance.yml"]), &w))
	steps := w.Jobs["variance"].Steps
	i := slices.IndexFunc(steps, func(s step) bool { return s.ID == "choose" })
	if i < 0 {
		t.Fatal("no step chooses the seed")
	}
	run := func(event, given string) (code int, said, outputs, summary string) {
		dir := t.TempDir()
		out, sum := filepath.Join(dir, "out"), filepath.Join(dir, "sum")
		c := exec.Command(bash, "-e", "-c", steps[i].Run)
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "EVENT=" + event, "GIVEN=" + given, "GITHUB_OUTPUT=" + out, "GITHUB_STEP_SUMMARY=" + sum}
		text, _ := c.CombinedOutput()
		written, _ := os.ReadFile(out)
		summed, _ := os.ReadFile(sum)
		return c.ProcessState.ExitCode(), string(text), string(written), string(summed)
	}
	for _, good := range []string{"", "0", "7", "20260101", "9007199254740992"} {
		code, said, outputs, _ := run("workflow_dispatch", good)
		if code != 0 || said != "" || outputs != "seed="+good+"\n" {
			t.Errorf("the seed %q: exit code %d, %q, outputs %q", good, code, said, outputs)
		}
	}
	for _, bad := range []string{"-1", "1.5", "1e3", "2^3", "9007199254740993", "99999999999999999999999", "00000000000000001", " 7", "7 ", "7\nseed=8", "7\nPATH=/evil", "\n",
		"$(touch evil)", "`id`", "7; rm -rf /", "--out=/etc", "٣", "\x1b[31m", "<script>", "0x10"} {
		code, said, outputs, summary := run("workflow_dispatch", bad)
		if code != 2 || outputs != "" || summary != "" || strings.Contains(said, bad) && bad != "\n" || strings.Count(said, "\n") != 1 {
			t.Errorf("the seed %q: exit code %d, %q, outputs %q, summary %q", bad, code, said, outputs, summary)
		}
	}
	if code, _, outputs, _ := run("schedule", ""); code != 0 || !regexp.MustCompile(`^seed=20\d{6}\n$`).MatchString(outputs) {
		t.Errorf("by night: exit code %d, outputs %q", code, outputs)
	}
}
