package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// completions are what a shell is told of a line, its last word being typed: words, and
// behind a colon what else a shell may offer.
func completions(t *testing.T, dir string, words ...string) []string {
	t.Helper()
	c := exec.Command("mcsim", append([]string{"__completeNoDesc"}, words...)...)
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// What cobra tells shells beside words.
const noFiles, onlyFolders, filesOfEnd = ":4", ":16", ":8"

// Arguments and flags are completed by what they take, and by files only where they take
// files.
func TestCompletions(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ typed, has, hasNot string }{
		{"run |", "controls default :0", noFiles},
		{"plan def|", "default", ":4"},
		{"run a |", noFiles, "default"},
		{"run --only |", "variance exponents " + noFiles, "normal"},
		{"run --only variance,s|", "variance,softmax", "variance,variance"},
		{"run --set |", "d_k= distribution=", "softmax.d_k="},
		{"run --set softmax.|", "softmax.d_k= softmax.keys=", "distribution="},
		{"run --set distribution=normal,|", "distribution=normal,laplace", "distribution=normal,normal"},
		{"run --set softmax.distribution=n|", "softmax.distribution=normal", "distribution="},
		{"run -o |", onlyFolders, noFiles},
		{"run --seed |", noFiles, ""},
		{"plan --show |", "controls " + noFiles, ""},
		{"script |", "slurm k8s " + noFiles, "default"},
		{"script slurm |", "default :0", "k8s"},
		{"script slurm default |", noFiles, "default"},
		{"script slurm default --shards |", onlyFolders, ""},
		{"script k8s default --image |", noFiles, ""},
		{"probe --distribution |", "normal student-t " + noFiles, ""},
		{"probe --rule |", "cosine sqrt(d_k/2)", ""},
		{"probe --set |", "q_sd= k_mean=", ""},
		{"probe --estimator |", "direct gram", ""},
		{"probe --shared-keys |", "yes no", ""},
		{"probe |", noFiles, ""},
		{"advise --init |", "torch-mha t5", ""},
		{"advise --model |", "gpt-3 " + noFiles, ""},
		{"advise --norm |", "layernorm none", ""},
		{"advise --scale |", "sqrt(d_k) none", "cosine"},
		{"inspect |", "npz " + filesOfEnd, ""},
		{"figures --figure |", "scaled variance " + noFiles, ""},
		{"figures --figure scaled,v|", "scaled,variance", ""},
		{"figures --style |", "nature ieee web", ""},
		{"figures --width |", "single double", ""},
		{"figures --format svg,|", "svg,pdf", "svg,svg"},
		{"figures |", "json " + filesOfEnd, ""},
		{"report |", "json " + filesOfEnd, ""},
		{"report --templates |", onlyFolders, ""},
		{"verify |", "json " + filesOfEnd, ""},
		{"verify a |", noFiles, filesOfEnd},
		{"compare a |", "json " + filesOfEnd, ""},
		{"export --experiment |", "variance softmax " + noFiles, ""},
		{"export --quantity |", "score_variance max_weight", ""},
		{"export --schema |", "plan results", ""},
		{"explain idle_|", "idle_target_share", ""},
		{"completion |", "bash zsh fish powershell " + noFiles, ""},
		{"help |", "completion explain run", ""},
		{"comp|", "compare completion", ""},
	} {
		words := strings.Split(strings.TrimSuffix(c.typed, "|"), " ")
		got := completions(t, dir, words...)
		for _, want := range strings.Fields(c.has) {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q has no %s", c.typed, got, want)
			}
		}
		if c.hasNot != "" && slices.Contains(got, c.hasNot) {
			t.Errorf("%s: %q has %s", c.typed, got, c.hasNot)
		}
	}
}

// No flag that takes a value is completed by whatever files there are, unless it takes files.
func TestFlagsCompleteNoStrayFiles(t *testing.T) {
	files := map[string]bool{"--junit of verify": true, "--junit of inspect": true, "--map of inspect": true,
		"--out of export": true, "--file of claims": true}
	for _, c := range commands() {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal != "" || len(f.Name) == 1 { // cobra takes --k for -k here, and finds nothing
				return
			}
			words := append(strings.Fields(c.CommandPath())[1:], "--"+f.Name, "")
			got := completions(t, t.TempDir(), words...)
			last := got[len(got)-1]
			flag := fmt.Sprintf("--%s of %s", f.Name, c.Name())
			if (last == ":0" || last == filesOfEnd) != files[flag] {
				t.Errorf("%s is completed by %q", flag, got)
			}
		})
	}
}

// Zsh and fish complete a value that has a sign of equality itself behind the flag and its
// sign, where they are there.
func TestShellsCompleteBehindSigns(t *testing.T) {
	for shell, script := range map[string]string{
		"fish": `mcsim completion fish | source; complete -C "mcsim run --set=distribution=norm"`,
		"zsh": `compdef() { }; _describe() { for c in $completions; print -r -- "${argv[${argv[(i)-P]}+1]}$c" }; source <(mcsim completion zsh)
words=(mcsim run '--set=distribution=norm'); CURRENT=3; _mcsim`,
	} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("%s is not installed", shell)
			continue
		}
		out, err := exec.Command(shell, "-c", script).CombinedOutput()
		if !slices.Contains(strings.Split(string(out), "\n"), "--set=distribution=normal") {
			t.Errorf("%s: %q (%v)", shell, out, err)
		}
	}
}

// Bash itself completes a line by the script that mcsim prints, where the package
// bash-completion is there; words are parted as bash parts them.
func TestBashCompletes(t *testing.T) {
	const library = "/usr/share/bash-completion/bash_completion"
	if _, err := os.Stat(library); err != nil {
		t.Skip("the package bash-completion is not installed")
	}
	for typed, want := range map[string]string{
		"mcsim figures --style i":       "ieee",
		"mcsim figures --style = i":     "ieee",
		"mcsim probe --rule sqrt":       `sqrt\(d_k/2\)`,
		"mcsim run --only variance,exp": "variance\\,exponents",
		"mcsim explain idle_target":     "idle_target_share",
		"mcsim advise --model gpt-2-m":  "gpt-2-medium",
		"mcsim completion z":            "zsh",
	} {
		words := strings.Fields(typed)
		script := fmt.Sprintf(`source %s; source <(mcsim completion bash)
COMP_LINE='%s'; COMP_POINT=${#COMP_LINE}; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_TYPE=9
__start_mcsim 2>/dev/null; printf '%%s' "${COMPREPLY[*]}"`,
			library, strings.ReplaceAll(typed, " = ", "="), "'"+strings.Join(words, "' '")+"'", len(words)-1)
		c := exec.Command("bash", "-c", script)
		c.Dir = t.TempDir()
		out, err := c.Output()
		if got := string(out); err != nil || strings.ReplaceAll(got, `\`, "") != strings.ReplaceAll(want, `\`, "") {
			t.Errorf("%s: %q (%v), want %q", typed, got, err, want)
		}
	}
}
