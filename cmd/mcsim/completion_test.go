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

// complete returns the completions of a command line. The last word of the line is incomplete. The
// last element of the result is cobra's directive, such as ":4".
func complete(t *testing.T, dir string, words ...string) []string {
	t.Helper()
	c := exec.Command("mcsim", append([]string{"__completeNoDesc"}, words...)...)
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// Directives that cobra prints after the completions: they say which files the shell may offer.
const directiveNoFiles, directiveFolders, directiveExtensions = ":4", ":16", ":8"

// TestCompletions checks that the completions of a line include every word of want and lack
// unwanted. The directive tells whether the shell offers files.
func TestCompletions(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ typed, want, unwanted string }{
		{"run |", "controls default :0", directiveNoFiles},
		{"plan def|", "default", ":4"},
		{"run a |", directiveNoFiles, "default"},
		{"run --only |", "variance exponents " + directiveNoFiles, "normal"},
		{"run --only variance,s|", "variance,softmax", "variance,variance"},
		{"run --set |", "d_k= distribution=", "softmax.d_k="},
		{"run --set softmax.|", "softmax.d_k= softmax.keys=", "distribution="},
		{"run --set distribution=normal,|", "distribution=normal,laplace", "distribution=normal,normal"},
		{"run --set softmax.distribution=n|", "softmax.distribution=normal", "distribution="},
		{"run -o |", directiveFolders, directiveNoFiles},
		{"run --seed |", directiveNoFiles, ""},
		{"plan --show |", "controls " + directiveNoFiles, ""},
		{"script |", "slurm k8s " + directiveNoFiles, "default"},
		{"script slurm |", "default :0", "k8s"},
		{"script slurm default |", directiveNoFiles, "default"},
		{"script slurm default --shards |", directiveFolders, ""},
		{"script k8s default --image |", directiveNoFiles, ""},
		{"probe --distribution |", "normal student-t " + directiveNoFiles, ""},
		{"probe --rule |", "cosine sqrt(d_k/2)", ""},
		{"probe --set |", "q_sd= k_mean=", ""},
		{"probe --estimator |", "direct gram", ""},
		{"probe --shared-keys |", "yes no", ""},
		{"probe |", directiveNoFiles, ""},
		{"advise --init |", "torch-mha t5", ""},
		{"advise --model |", "gpt-3 " + directiveNoFiles, ""},
		{"advise --norm |", "layernorm none", ""},
		{"advise --scale |", "sqrt(d_k) none", "cosine"},
		{"inspect |", "npz " + directiveExtensions, ""},
		{"figures --figure |", "scaled variance " + directiveNoFiles, ""},
		{"figures --figure scaled,v|", "scaled,variance", ""},
		{"figures --style |", "nature ieee web", ""},
		{"figures --width |", "single double", ""},
		{"figures --format svg,|", "svg,pdf", "svg,svg"},
		{"figures |", "json " + directiveExtensions, ""},
		{"report |", "json " + directiveExtensions, ""},
		{"report --templates |", directiveFolders, ""},
		{"verify |", "json " + directiveExtensions, ""},
		{"verify a |", directiveNoFiles, directiveExtensions},
		{"compare a |", "json " + directiveExtensions, ""},
		{"export --experiment |", "variance softmax " + directiveNoFiles, ""},
		{"export --quantity |", "score_variance max_weight", ""},
		{"export --schema |", "plan results", ""},
		{"explain idle_|", "idle_target_share", ""},
		{"completion |", "bash zsh fish powershell " + directiveNoFiles, ""},
		{"help |", "completion explain run", ""},
		{"comp|", "compare completion", ""},
	} {
		words := strings.Split(strings.TrimSuffix(c.typed, "|"), " ")
		got := complete(t, dir, words...)
		for _, want := range strings.Fields(c.want) {
			if !slices.Contains(got, want) {
				t.Errorf("%s: the completions %q lack %s", c.typed, got, want)
			}
		}
		if c.unwanted != "" && slices.Contains(got, c.unwanted) {
			t.Errorf("%s: the completions %q have the unwanted %s", c.typed, got, c.unwanted)
		}
	}
}

// TestFlagsCompleteNoStrayFiles checks that shells offer files for a flag only if the flag accepts
// them.
func TestFlagsCompleteNoStrayFiles(t *testing.T) {
	acceptsFiles := map[string]bool{"--junit of verify": true, "--junit of inspect": true, "--map of inspect": true,
		"--out of export": true, "--file of claims": true, "--summary of inspect": true, "--theme of figures": true}
	for _, c := range listCommands() {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			takesNoValue := f.NoOptDefVal != ""
			isOneLetter := len(f.Name) == 1 // cobra confuses --k with the short flag -k
			if takesNoValue || isOneLetter {
				return
			}
			words := append(strings.Fields(c.CommandPath())[1:], "--"+f.Name, "")
			got := complete(t, t.TempDir(), words...)
			last := got[len(got)-1]
			flag := fmt.Sprintf("--%s of %s", f.Name, c.Name())
			offersFiles := last == ":0" || last == directiveExtensions
			if offersFiles != acceptsFiles[flag] {
				t.Errorf("%s: shells offer files: %v, want %v (completions %q)", flag, offersFiles,
					acceptsFiles[flag], got)
			}
		})
	}
}

// TestShellsCompleteAfterEqualsSign checks that zsh and fish complete a value with an equals sign,
// such as distribution=norm after --set=. A shell that is not installed is not tested.
func TestShellsCompleteAfterEqualsSign(t *testing.T) {
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
			t.Errorf("%s completes the line by %q (%v), want --set=distribution=normal", shell, out, err)
		}
	}
}

// TestBashCompletes checks that bash completes a line with the script of mcsim. It needs the
// package bash-completion. Bash treats an equals sign as a separate word, so one line has spaces
// around it.
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
		if err != nil {
			t.Errorf("%s: %v", typed, err)
		}
		removeBackslashes := strings.NewReplacer(`\`, "") // quoting depends on the version of bash
		if got := string(out); removeBackslashes.Replace(got) != removeBackslashes.Replace(want) {
			t.Errorf("%s: the completion is %q, want %q", typed, got, want)
		}
	}
}
