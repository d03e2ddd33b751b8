package mcsim_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"mcsim/sim/simtest"
)

// workflow has the parts of a workflow that these tests read.
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

// step is a step of a job: an action or a script.
type step struct {
	ID   string            `yaml:"id"`
	Uses string            `yaml:"uses"`
	With map[string]any    `yaml:"with"`
	Env  map[string]string `yaml:"env"`
	Run  string            `yaml:"run"`
}

var (
	// pinnedAction matches an action that a commit identifies. releaseComment matches a line with
	// such an action and its release in a comment.
	pinnedAction   = regexp.MustCompile(`^([\w.-]+/[\w./-]+)@([0-9a-f]{40})$`)
	releaseComment = regexp.MustCompile(`(?m)^[ -]+uses: ([\w.-]+/[\w./-]+@[0-9a-f]{40}) # (v\d+\.\d+\.\d+)$`)
	// allowedPermissions lists what jobs may do in addition to reading the repository.
	allowedPermissions = map[string][]string{"pages.yml publish": {"id-token: write", "pages: write"},
		"release.yml publish": {"contents: write"}}
)

// findFaults lists violations of our rules for workflows.
func findFaults(name, text string) (found []string) {
	var w workflow
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		return []string{err.Error()}
	}
	addFault := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if !maps.Equal(w.Permissions, map[string]string{"contents": "read"}) {
		addFault("has the permissions %v, not only contents: read", w.Permissions)
	}
	for _, event := range []string{"pull_request_target", "workflow_run", "issue_comment"} {
		if _, ok := w.On[event]; ok {
			addFault("runs on %s, which gives permissions to other people's code", event)
		}
	}
	if len(w.Jobs) == 0 {
		addFault("has no jobs")
	}
	released := map[string]bool{}
	for _, m := range releaseComment.FindAllStringSubmatch(text, -1) {
		released[m[1]] = true
	}
	for _, id := range slices.Sorted(maps.Keys(w.Jobs)) {
		job := w.Jobs[id]
		var permissions []string
		for _, scope := range slices.Sorted(maps.Keys(job.Permissions)) {
			permissions = append(permissions, scope+": "+job.Permissions[scope])
		}
		if !slices.Equal(permissions, allowedPermissions[name+" "+id]) {
			addFault("the job %s has the permissions %q", id, permissions)
		}
		if job.Timeout == 0 {
			addFault("the job %s has no time limit", id)
		}
		if job.Uses != "" && !strings.HasPrefix(job.Uses, "./") {
			addFault("the job %s uses %s from another repository", id, job.Uses)
		}
		for _, s := range job.Steps {
			found = append(found, findStepFaults(s, released)...)
		}
	}
	return found
}

// findStepFaults lists the violations of a step. The set released has the actions that a comment
// with their release follows.
func findStepFaults(s step, released map[string]bool) (found []string) {
	action := pinnedAction.FindStringSubmatch(s.Uses)
	switch {
	case s.Uses == "" || strings.HasPrefix(s.Uses, "./"):
	case action == nil:
		found = append(found, s.Uses+" is not pinned to a commit")
	case !released[s.Uses]:
		found = append(found, s.Uses+" has no comment with its release")
	}
	if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != false {
		found = append(found, "a checkout persists its credentials")
	}
	if strings.Contains(s.Run, "${{") {
		found = append(found, fmt.Sprintf("a script contains an expression: %q", s.Run))
	}
	return found
}

// readWorkflows returns the texts of all workflows by name.
func readWorkflows(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(".github/workflows/*")
	if err != nil || len(files) < 4 {
		t.Fatalf("got the workflows %q, want at least 4 (%v)", files, err)
	}
	texts := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		simtest.Must(t, err)
		texts[filepath.Base(file)] = string(text)
	}
	return texts
}

// TestWorkflows checks that actions are pinned to commits, that checkouts do not persist
// credentials, that scripts contain no expressions, and that jobs have no unnecessary permissions.
func TestWorkflows(t *testing.T) {
	commits := map[string]string{}
	for name, text := range readWorkflows(t) {
		for _, fault := range findFaults(name, text) {
			t.Errorf("%s: %s", name, fault)
		}
		for _, m := range releaseComment.FindAllStringSubmatch(text, -1) {
			action, _, _ := strings.Cut(m[1], "@")
			if previous := commits[action]; previous != "" && previous != m[0][strings.Index(m[0], "uses"):] {
				t.Errorf("the workflows use two versions of %s: %s and %s", action, m[0], previous)
			}
			commits[action] = m[0][strings.Index(m[0], "uses"):]
		}
	}
}

// TestSeedOfWorkflow runs the script of a workflow that checks the seed. An invalid seed must not
// reach the outputs, the summary or the terminal.
func TestSeedOfWorkflow(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	var w workflow
	simtest.Must(t, yaml.Unmarshal([]byte(readWorkflows(t)["variance.yml"]), &w))
	steps := w.Jobs["variance"].Steps
	i := slices.IndexFunc(steps, func(s step) bool { return s.ID == "choose" })
	if i < 0 {
		t.Fatal("no step chooses the seed")
	}
	runStep := func(event, given string) (code int, message, outputs, summary string) {
		dir := t.TempDir()
		outputsFile, summaryFile := filepath.Join(dir, "out"), filepath.Join(dir, "sum")
		c := exec.Command(bash, "-e", "-c", steps[i].Run)
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "EVENT=" + event, "GIVEN=" + given,
			"GITHUB_OUTPUT=" + outputsFile, "GITHUB_STEP_SUMMARY=" + summaryFile}
		text, _ := c.CombinedOutput()
		written, _ := os.ReadFile(outputsFile)
		summed, _ := os.ReadFile(summaryFile)
		return c.ProcessState.ExitCode(), string(text), string(written), string(summed)
	}
	for _, good := range []string{"", "0", "7", "20260101", "9007199254740992"} {
		code, said, outputs, _ := runStep("workflow_dispatch", good)
		if code != 0 || said != "" || outputs != "seed="+good+"\n" {
			t.Errorf("the valid seed %q: exit code %d, %q, outputs %q", good, code, said, outputs)
		}
	}
	for _, bad := range []string{"-1", "1.5", "1e3", "2^3", "9007199254740993", "99999999999999999999999",
		"00000000000000001", " 7", "7 ", "7\nseed=8", "7\nPATH=/evil", "\n",
		"$(touch evil)", "`id`", "7; rm -rf /", "--out=/etc", "٣", "\x1b[31m", "<script>", "0x10"} {
		code, said, outputs, summary := runStep("workflow_dispatch", bad)
		repeatsSeed := bad != "\n" && strings.Contains(said, bad)
		if code != 2 || outputs != "" || summary != "" || repeatsSeed || strings.Count(said, "\n") != 1 {
			t.Errorf("the invalid seed %q: exit code %d, %q, outputs %q, summary %q", bad, code, said, outputs, summary)
		}
	}
	if code, _, outputs, _ := runStep("schedule", ""); code != 0 ||
		!regexp.MustCompile(`^seed=20\d{6}\n$`).MatchString(outputs) {
		t.Errorf("on a schedule: exit code %d, outputs %q", code, outputs)
	}
}
