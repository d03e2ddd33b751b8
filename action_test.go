package mcsim_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"mcsim/sim/simtest"
)

const actionFolder = ".github/actions/mcsim"

// action has the parts of action.yml that these tests read.
type action struct {
	Inputs  map[string]map[string]any `yaml:"inputs"`
	Outputs map[string]struct {
		Value string `yaml:"value"`
	} `yaml:"outputs"`
	Runs struct {
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

// TestAction checks that the action follows the rules for workflows, that docs/ci.md explains each
// input, and that each input is passed to a script.
func TestAction(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(actionFolder, "action.yml"))
	simtest.Must(t, err)
	docs, err := os.ReadFile("docs/ci.md")
	simtest.Must(t, err)
	var a action
	simtest.Must(t, yaml.Unmarshal(text, &a))
	released := map[string]bool{}
	for _, m := range releaseComment.FindAllStringSubmatch(string(text), -1) {
		released[m[1]] = true
	}
	environment := "" // values of the variables of all steps
	for _, s := range a.Runs.Steps {
		for _, fault := range findStepFaults(s, released) {
			t.Error(fault)
		}
		for _, value := range s.Env {
			environment += value
		}
	}
	if len(a.Inputs) < 4 || len(a.Outputs) < 2 {
		t.Fatalf("got %d inputs and %d outputs, want at least 4 and 2", len(a.Inputs), len(a.Outputs))
	}
	for name := range a.Inputs {
		if !strings.Contains(string(docs), "| `"+name+"` |") {
			t.Errorf("docs/ci.md does not explain the input %s", name)
		}
		if !strings.Contains(environment, "inputs."+name+" ") {
			t.Errorf("no script gets the input %s", name)
		}
	}
	for name, o := range a.Outputs {
		if !strings.Contains(string(docs), "`"+name+"`") {
			t.Errorf("docs/ci.md does not name the output %s", name)
		}
		if want := "${{ steps.judge.outputs." + name + " }}"; o.Value != want {
			t.Errorf("the output %s is %s, want %s", name, o.Value, want)
		}
	}
}

// TestShownWorkflows checks that the workflows in docs/ci.md follow the same rules as our own after
// COMMIT is replaced by the hash of a commit.
func TestShownWorkflows(t *testing.T) {
	commit := strings.NewReplacer("@COMMIT", "@"+strings.Repeat("0", 40)+" # v1.0.0")
	shown := 0
	for _, block := range strings.Split(read("docs/ci.md"), "```yaml\n")[1:] {
		text, _, _ := strings.Cut(block, "```")
		if !strings.Contains(text, "\njobs:\n") {
			continue
		}
		shown++
		for _, fault := range findFaults("docs/ci.md", commit.Replace(text)) {
			t.Error(fault)
		}
	}
	if shown < 2 {
		t.Errorf("docs/ci.md shows %d workflows, want at least 2", shown)
	}
}

// runScript runs a script of the action in a folder with environment variables. It returns the exit
// code, the terminal output, and what the script wrote to GITHUB_OUTPUT and GITHUB_STEP_SUMMARY.
func runScript(t *testing.T, name, dir string, env ...string) (code int, message, outputs, summary string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	path, err := filepath.Abs(filepath.Join(actionFolder, name))
	simtest.Must(t, err)
	files := t.TempDir()
	outputsFile, summaryFile := filepath.Join(files, "out"), filepath.Join(files, "sum")
	c := exec.Command(bash, path)
	c.Dir = dir
	c.Env = append(os.Environ(), append(env, "GITHUB_OUTPUT="+outputsFile, "GITHUB_STEP_SUMMARY="+summaryFile)...)
	text, _ := c.CombinedOutput()
	written, _ := os.ReadFile(outputsFile)
	summed, _ := os.ReadFile(summaryFile)
	return c.ProcessState.ExitCode(), string(text), string(written), string(summed)
}

// installAction returns the program that the action builds from this revision.
func installAction(t *testing.T) string {
	t.Helper()
	code, said, outputs, _ := runScript(t, "install.sh", t.TempDir(), "RUNNER_TEMP="+t.TempDir(), "MCSIM_VERSION=")
	program, ok := strings.CutPrefix(strings.TrimSpace(outputs), "program=")
	if code != 0 || !ok {
		t.Fatalf("exit code %d: %s%s", code, said, outputs)
	}
	return program
}

// TestActionJudges runs the action's scripts as a step does, with plans for every verdict and with
// invalid plans, seeds, tolerances and folders.
func TestActionJudges(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	program := installAction(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good.yaml": "name: good\nseed: 1\ntolerance: 5%\nexperiments:\n" +
			"  - {experiment: variance, distribution: normal, d_k: [4, 64]}\n",
		"short.yaml": "name: short\nseed: 1\ntolerance: 5%\nexperiments:\n" +
			"  - {experiment: variance, distribution: normal, d_k: [4, 64], samples: 1024}\n",
		"bad.yaml": "name: bad\nseed: 1\nexperiments:\n  - {experiment: varience}\n",
	} {
		simtest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for i, c := range []struct {
		plan, seed, tolerance string
		code                  int
		verdict, want         string // want is a part of the terminal output or of results.json
	}{
		{"good.yaml", "", "", 0, "pass", "pass: "},
		{"good.yaml", "7", "3%", 0, "pass", `"seed": 7`},
		{"short.yaml", "", "", 3, "undecided", "undecided"},
		{"bad.yaml", "", "", 2, "", "varience"},
		{"nothing.yaml", "", "", 2, "", "nothing.yaml"},
		{"--help", "", "", 2, "", "--help"},
		{"good.yaml", "1; touch evil", "", 2, "", "--seed"},
		{"good.yaml", "$(touch evil)", "", 2, "", "--seed"},
		{"good.yaml", "", "one", 2, "", "--tolerance"},
	} {
		folder := fmt.Sprintf("results%d", i)
		code, said, outputs, summary := runScript(t, "judge.sh", dir, "MCSIM="+program, "MCSIM_PLAN="+c.plan,
			"MCSIM_SEED="+c.seed, "MCSIM_TOLERANCE="+c.tolerance, "MCSIM_FOLDER="+folder)
		if code != c.code {
			t.Errorf("%+v: exit code %d, %s", c, code, said)
		}
		if !strings.Contains(said+read(filepath.Join(dir, folder, "results.json")), c.want) {
			t.Errorf("%+v: neither the output nor results.json has %q: %s", c, c.want, said)
		}
		if c.verdict == "" {
			if outputs != "" || summary != "" {
				t.Errorf("%+v: outputs %q, summary %q", c, outputs, summary)
			}
			continue
		}
		junit := filepath.Join(folder, "junit.xml")
		if want := "verdict=" + c.verdict + "\njunit=" + junit + "\nresults=" + folder + "\n"; outputs != want ||
			!strings.Contains(summary, "mcsim: "+c.verdict) {
			t.Errorf("%+v: outputs %q, want %q; summary %q", c, outputs, want, summary)
		}
		if !strings.Contains(read(filepath.Join(dir, junit)), "<testcase") {
			t.Errorf("%+v: %s has no test case", c, junit)
		}
	}
	for _, bad := range [][]string{{"MCSIM_PLAN=good.yaml", "MCSIM_FOLDER=x\nverdict=pass"},
		{"MCSIM_PLAN=good.yaml", "MCSIM_FOLDER="}, {"MCSIM_PLAN=", "MCSIM_FOLDER=x"}} {
		code, said, outputs, _ := runScript(t, "judge.sh", dir, append(bad, "MCSIM="+program)...)
		if code != 2 || outputs != "" || strings.Count(said, "\n") != 1 {
			t.Errorf("%q: exit code %d, %q, outputs %q", bad, code, said, outputs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "evil")); err == nil {
		t.Error("the shell ran a command that was given as a seed")
	}
}

// TestActionJudgesAFile runs the action on saved samples. Samples of the attention in
// testdata/attention pass. Samples of its broken versions fail, and the output names the mistake.
func TestActionJudgesAFile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	program := installAction(t)
	saved, err := filepath.Abs("testdata/attention/saved")
	simtest.Must(t, err)
	dir := t.TempDir()
	for i, c := range []struct {
		file, check, gate, scale string
		code                     int
		verdict, want            string // want is a part of the terminal output
	}{
		{"right", "15%", "", "", 0, "pass", "PASS"},
		{"right", "15%", "0.5..2", "", 0, "pass", "PASS"},
		{"right", "0.1%", "", "", 3, "undecided", "would decide"},
		{"right", "15%", "", "none", 1, "fail", "FAIL"},
		{"scale-forgotten", "15%", "", "", 1, "fail", "the scale is forgotten"},
		{"divided-twice", "15%", "", "", 1, "fail", "or is scaled twice"},
		{"d_model-for-d_k", "15%", "", "", 1, "fail", "the root of d_model = 96, not of d_k = 48"},
		{"other-init", "15%", "", "", 1, "fail", "initialis"},
		{"scale-in-bfloat16", "15%", "", "", 1, "fail", "rounded to bfloat16"},
		{"norm-forgotten", "15%", "", "", 1, "fail", "normalised"},
		{"softmax-over-queries", "15%", "", "", 1, "fail", "along queries"},
		{"dropout-left-on", "15%", "", "", 1, "fail", "dropout"},
		{"right", "", "2..3", "", 1, "fail", "FAIL"},
		{"right", "", "", "", 2, "", "needs a check"},
		{"nothing", "10%", "", "", 2, "", "nothing.npz"},
		{"right", "ten", "", "", 2, "", "--check"},
		{"right", "", "3..2", "", 2, "", "--gate"},
		{"right", "10%", "", "$(touch evil)", 2, "", "--scale"},
	} {
		folder := fmt.Sprintf("judged%d", i)
		code, said, outputs, summary := runScript(t, "judge.sh", dir, "MCSIM="+program,
			"MCSIM_FILE="+filepath.Join(saved, c.file+".npz"),
			"MCSIM_CHECK="+c.check, "MCSIM_GATE="+c.gate, "MCSIM_SCALE="+c.scale, "MCSIM_FOLDER="+folder)
		words := strings.Join(strings.Fields(said), " ") // without line breaks
		if code != c.code || !strings.Contains(words, c.want) {
			t.Errorf("%+v: exit code %d, %s", c, code, said)
		}
		if c.verdict == "" {
			if outputs != "" {
				t.Errorf("%+v: outputs %q, want none", c, outputs)
			}
			continue
		}
		junit := read(filepath.Join(dir, folder, "junit.xml"))
		if !strings.HasPrefix(outputs, "verdict="+c.verdict+"\n") ||
			!strings.Contains(summary, "mcsim: "+c.verdict) || !strings.Contains(junit, "<testcase") {
			t.Errorf("%+v: outputs %q, summary %q, JUnit %q", c, outputs, summary, junit)
		}
		if hasFailure := strings.Contains(junit, "<failure"); hasFailure != (code == 1) {
			t.Errorf("%+v: exit code %d, but a failure in JUnit is %v: %s", c, code, hasFailure, junit)
		}
		if hasError := strings.Contains(junit, "<error"); hasError != (code == 3) {
			t.Errorf("%+v: exit code %d, but an error in JUnit is %v: %s", c, code, hasError, junit)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "evil")); err == nil {
		t.Error("the shell ran a command that was given as a scale")
	}
}

// TestExampleSaves runs the attention in testdata/attention with each of its patches and compares
// the saved samples with the committed ones, to within a relative error of 2e-3. It needs PyTorch.
func TestExampleSaves(t *testing.T) {
	python, err := exec.LookPath("/usr/bin/python3") // Debian's, which has Debian's PyTorch
	if _, patchErr := exec.LookPath("patch"); err != nil || patchErr != nil ||
		exec.Command(python, "-c", "import torch, numpy").Run() != nil {
		t.Skip("needs the programs python3, with PyTorch, and patch")
	}
	dir := t.TempDir()
	simtest.Must(t, os.CopyFS(dir, os.DirFS("testdata/attention")))
	simtest.Must(t, os.RemoveAll(filepath.Join(dir, "saved")))
	c := exec.Command("bash", filepath.Join(dir, "save.sh"))
	c.Env = append(os.Environ(), "PYTHON="+python)
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	patches, err := filepath.Glob("testdata/attention/broken/*.patch")
	simtest.Must(t, err)
	saved, err := filepath.Glob(filepath.Join(dir, "saved/*.npz"))
	simtest.Must(t, err)
	if len(patches) != 8 || len(saved) != len(patches)+1 {
		t.Fatalf("got %d patches and %d saved files, want 8 and 9", len(patches), len(saved))
	}
	const compare = `import sys, numpy
for a, b in zip(sys.argv[1::2], sys.argv[2::2]):
    for name in ("q", "k", "logits", "weights"):
        numpy.testing.assert_allclose(numpy.load(a)[name], numpy.load(b)[name], rtol=2e-3, atol=2e-4, err_msg=a)`
	args := []string{"-c", compare}
	for _, m := range saved {
		args = append(args, m, filepath.Join("testdata/attention/saved", filepath.Base(m)))
	}
	if text, err := exec.Command(python, args...).CombinedOutput(); err != nil {
		t.Errorf("%s", text)
	}
}

// TestActionSaysThatAGateFails checks that a failing gate gives exit code 1 and the verdict fail. A
// stub replaces the program, since no gate of the real one fails.
func TestActionSaysThatAGateFails(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "mcsim")
	simtest.Must(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$1: a gate fails\"\nexit 1\n"), 0o755))
	code, said, outputs, summary := runScript(t, "judge.sh", dir, "MCSIM="+program, "MCSIM_PLAN=p", "MCSIM_FOLDER=f")
	if code != 1 || !strings.HasPrefix(outputs, "verdict=fail\n") ||
		!strings.Contains(summary, "verify: a gate fails") {
		t.Errorf("exit code %d, %q, outputs %q, summary %q", code, said, outputs, summary)
	}
}

// TestActionInstalls checks that a release with the right checksum is installed, and that nothing
// is installed if the checksum is wrong or missing or the version is invalid.
func TestActionInstalls(t *testing.T) {
	for _, tool := range []string{"curl", "tar", "awk"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool)
		}
	}
	releases := t.TempDir()
	folder := filepath.Join(releases, "v1.2.0")
	simtest.Must(t, os.Mkdir(folder, 0o755))
	const name = "mcsim-1.2.0-linux-amd64"
	archive := packProgram(t, name+"/mcsim", "#!/bin/sh\necho installed\n")
	otherArchive := packProgram(t, name+"/mcsim", "#!/bin/sh\necho another\n")
	sum := func(data []byte, name string) string { return fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name) }
	for _, c := range []struct {
		version, sums string // sums is the text of SHA256SUMS; "" if the job gives the checksum itself
		want          string // part of the error; "" if the program is installed
	}{
		{"1.2.0", sum(otherArchive, "mcsim-1.2.0-linux-arm64.tar.gz") + sum(archive, name+".tar.gz"), ""},
		{"v1.2.0", sum(archive, name+".tar.gz"), ""},
		{"1.2.0", sum(otherArchive, name+".tar.gz"), "differs from the release's SHA256SUMS"},
		{"1.2.0", sum(archive, "mcsim-1.2.0-linux-arm64.tar.gz"), "does not name"},
		{"1.2.1", sum(archive, name+".tar.gz"), "has no"},
		{"../../etc", sum(archive, name+".tar.gz"), "The version must be"},
		{"1.2.0\nprogram=/evil", sum(archive, name+".tar.gz"), "The version must be"},
		{"1.2.0", "", ""},
		{"1.2.0", "", "differs from the input checksum"},
		{"1.2.0", "", "The checksum must be"},
	} {
		given := "" // the checksum that the job gives
		switch {
		case c.sums == "" && c.want == "":
			given = fmt.Sprintf("%x", sha256.Sum256(archive))
		case strings.Contains(c.want, "differs from the input checksum"):
			given = fmt.Sprintf("%x", sha256.Sum256(otherArchive))
		case c.sums == "":
			given = "abc\nprogram=/evil"
		}
		for file, text := range map[string][]byte{name + ".tar.gz": archive, "SHA256SUMS": []byte(c.sums)} {
			simtest.Must(t, os.WriteFile(filepath.Join(folder, file), text, 0o644))
		}
		code, said, outputs, _ := runScript(t, "install.sh", t.TempDir(), "RUNNER_TEMP="+t.TempDir(),
			"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "MCSIM_VERSION="+c.version, "MCSIM_SHA256="+given,
			"MCSIM_RELEASES=file://"+filepath.ToSlash(releases))
		if c.want != "" {
			if code != 2 || outputs != "" || !strings.Contains(said, c.want) {
				t.Errorf("%+v: got exit code %d, %q and outputs %q; want an error and no outputs", c, code, said,
					outputs)
			}
			continue
		}
		program, _ := strings.CutPrefix(strings.TrimSpace(outputs), "program=")
		if output, err := exec.Command(program).Output(); code != 0 || err != nil || string(output) != "installed\n" {
			t.Errorf("%+v: exit code %d, %s; the program prints %q (%v), want installed", c, code, said, output, err)
		}
	}
}

// TestShownShellJob checks that the shell job in docs/ci.md installs a release with the right
// checksum and fails with a wrong one.
func TestShownShellJob(t *testing.T) {
	_, text, found := strings.Cut(read("docs/ci.md"), "```yaml\nattention:\n")
	text, _, _ = strings.Cut(text, "```")
	var job struct{ Script []string }
	if err := yaml.Unmarshal([]byte(text), &job); err != nil || !found || len(job.Script) != 6 {
		t.Fatalf("the shell job has %d lines, want 6 (%v)", len(job.Script), err)
	}
	for _, tool := range []string{"curl", "tar", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool)
		}
	}
	dir := t.TempDir()
	simtest.Must(t, os.MkdirAll(filepath.Join(dir, "v1.2.0"), 0o755))
	archive := packProgram(t, "mcsim-1.2.0-linux-amd64/mcsim", "#!/bin/sh\necho ran: $*\n")
	simtest.Must(t, os.WriteFile(filepath.Join(dir, "v1.2.0/mcsim-1.2.0-linux-amd64.tar.gz"), archive, 0o644))
	script := strings.ReplaceAll(strings.Join(job.Script[2:], "\n"),
		"https://github.com/OWNER/mcsim/releases/download", "file://"+dir)
	for sum, wantRun := range map[string]bool{fmt.Sprintf("%x", sha256.Sum256(archive)): true,
		strings.Repeat("0", 64): false} {
		c := exec.Command("bash", "-e", "-c", script)
		c.Dir = t.TempDir()
		c.Env = append(os.Environ(), "version=1.2.0", "system=linux-amd64", "sha256="+sum)
		output, err := c.CombinedOutput()
		hasRun := strings.Contains(string(output), "ran: inspect qk.npz --check 15% --junit junit.xml")
		if wantRun != (err == nil) || wantRun != hasRun {
			t.Errorf("checksum %s: the program ran: %v, want %v; %v, %s", sum, hasRun, wantRun, err, output)
		}
	}
}

// packProgram returns a .tar.gz archive of one executable file with the given text.
func packProgram(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, err := range []error{w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}),
		func() error { _, err := w.Write([]byte(text)); return err }(), w.Close(), z.Close()} {
		simtest.Must(t, err)
	}
	return b.Bytes()
}

// read returns the text of a file, or "" if the file does not exist.
func read(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

// TestActionKnowsEverySystem checks that the action can install the release of every system.
func TestActionKnowsEverySystem(t *testing.T) {
	_, list, _ := strings.Cut(read(".ci/archives"), "\nsystems=(")
	list, _, _ = strings.Cut(list, ")")
	systems := strings.Fields(strings.ReplaceAll(list, "/", "-"))
	installer := read(filepath.Join(actionFolder, "install.sh"))
	if len(systems) != 6 {
		t.Errorf(".ci/archives lists the systems %q, want 6", systems)
	}
	for _, system := range systems {
		if !strings.Contains(installer, "system="+system+" ") {
			t.Errorf("the action does not install the release for %s", system)
		}
	}
}
