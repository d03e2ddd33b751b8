package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/sim/simtest"
)

// listCommands returns the root command and all its subcommands.
func listCommands() []*cobra.Command { return withSubcommands(newCommand(program.NewShutdown())) }

// withSubcommands returns a command and all its subcommands.
func withSubcommands(c *cobra.Command) []*cobra.Command {
	commands := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		commands = append(commands, withSubcommands(sub)...)
	}
	return commands
}

// printHelp returns the help of a command.
func printHelp(t *testing.T, c *cobra.Command) string {
	t.Helper()
	var b strings.Builder
	root := newCommand(program.NewShutdown())
	root.SetOut(&b)
	root.SetArgs(append([]string{"help"}, strings.Fields(c.CommandPath())[1:]...))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHelp checks that the help of every command has a description and an example, has lines of at
// most 80 columns, and lists every flag in exactly one group.
func TestHelp(t *testing.T) {
	flagCount := 0
	for _, c := range listCommands() {
		c.InitDefaultHelpFlag()
		if c.Short == "" || c.Long == "" && c.Name() != "help" {
			t.Errorf("the help of %s lacks a summary or a description", c.CommandPath())
		}
		if !strings.HasPrefix(c.Example, "  ") {
			t.Errorf("the help of %s lacks an indented example", c.CommandPath())
		}
		isSubcommand := c.HasParent() && c.Parent() == c.Root()
		if isSubcommand && c.GroupID == "" {
			t.Errorf("%s is in no group of commands", c.CommandPath())
		}
		help := printHelp(t, c)
		for _, sub := range c.Commands() {
			if !strings.Contains(help, "\n  "+sub.Name()+" ") || !strings.Contains(help, " "+sub.Short+"\n") {
				t.Errorf("the help of %s lacks the command %s with its summary", c.CommandPath(), sub.Name())
			}
		}
		for line := range strings.SplitSeq(help, "\n") {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("the help of %s has a line of %d columns, want at most 80: %q", c.CommandPath(), n, line)
			}
			if strings.HasSuffix(line, " ") {
				t.Errorf("the help of %s has a line that ends with a space: %q", c.CommandPath(), line)
			}
		}
		groupCount := map[string]int{}
		sets := cmdline.GroupFlags(c.LocalFlags())
		for _, set := range sets {
			set.VisitAll(func(f *pflag.Flag) { groupCount[f.Name]++ })
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			flagCount++
			if groupCount[f.Name] != 1 {
				t.Errorf("--%s of %s is in %d groups of cmdline/group.go, want 1", f.Name, c.CommandPath(),
					groupCount[f.Name])
			}
		})
	}
	const minFlags = 80 // fewer mean that the test does not find them
	if flagCount < minFlags {
		t.Errorf("found %d flags, want at least %d", flagCount, minFlags)
	}
}

// TestFlagsHaveOneMeaning checks that a flag has the same usage text in all commands, up to the
// first colon, comma, semicolon or bracket. A command may add details after it. The test also
// limits the numbers of flags and commands.
func TestFlagsHaveOneMeaning(t *testing.T) {
	qualification := regexp.MustCompile(`[:,;(].*`)
	meanings := map[string]string{}
	for _, c := range listCommands() {
		flagCount := 0
		c.InitDefaultHelpFlag()
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			flagCount++
			meaning := strings.TrimSpace(qualification.ReplaceAllString(f.Usage, ""))
			if f.Name == "help" || f.Name == "version" {
				return
			}
			if other, ok := meanings[f.Name]; ok && other != meaning {
				t.Errorf("the usage of --%s is %q for %s, but %q for another command", f.Name, meaning, c.Name(), other)
			}
			meanings[f.Name] = meaning
		})
		maxFlags := 18
		if c.Name() == "inspect" { // most users need few of its flags, since it finds the values by itself
			maxFlags = 34
		}
		if flagCount > maxFlags {
			t.Errorf("%s has %d flags, want at most %d", c.Name(), flagCount, maxFlags)
		}
	}
	const maxCommands = 20
	if got := len(newCommand(program.NewShutdown()).Commands()); got > maxCommands {
		t.Errorf("mcsim has %d commands, want at most %d", got, maxCommands)
	}
}

// replacedExamples are examples of the help that the test does not run as shown: it runs the
// command in run instead, for the reason in why.
var replacedExamples = []struct{ shown, run, why string }{
	{"mcsim run && mcsim report && mcsim verify", "mcsim run small.yaml && mcsim report && mcsim verify",
		"the default plan takes half a minute, and `make report` runs it"},
	{"mcsim run", "mcsim run small.yaml", "the default plan takes half a minute"},
	{"mcsim run quick -o quick", "mcsim run small.yaml -o quick", "the default plan takes half a minute"},
	{"mcsim claims --verdict wrong", "mcsim claims --source notes-pytorch --verdict wrong",
		"the README shows the command, and TestShownCommands runs it"},
	{"mcsim run --only variance,exponents -o part", "mcsim run small.yaml --only variance,exponents -o part",
		"the default plan takes half a minute"},
	{"mcsim run --set variance.d_k=64,128 --tolerance 5% -o coarse",
		"mcsim run small.yaml --set variance.d_k=64,128 --tolerance 5% -o coarse",
		"the default plan takes half a minute"},
	{"mcsim run my.yaml --shard 3/200 -o shards/3.shard", "mcsim run my.yaml -q --shard 3/200 -o shards/3.shard",
		"200 shards of a small plan have unequal costs, which mcsim reports"},
	{"mcsim plan", "mcsim plan small.yaml",
		"the time estimate of the default plan takes ten seconds"},
	{"mcsim plan default --only variance,exponents --tolerance 5%",
		"mcsim plan small.yaml --only variance,exponents --tolerance 5%", "the default plan takes half a minute"},
	{"mcsim plan --set variance.d_k=64..1024 --all", "mcsim plan small.yaml --set variance.d_k=64..1024 --all",
		"the default plan takes half a minute"},
	{"mcsim plan --show default | mcsim plan -",
		"mcsim plan --show default > text.yaml && mcsim plan - < small.yaml", "the default plan takes half a minute"},
	{"mcsim advise --model gpt-3", "mcsim advise --model gpt-3 --draws 16",
		"heads of 12288 components take long"},
	{"source <(mcsim completion zsh)", "mcsim completion zsh", "the shell of the test is bash"},
	{"mcsim completion fish | source", "mcsim completion fish", "the shell of the test is bash"},
	{"mcsim completion powershell | Out-String | Invoke-Expression", "mcsim completion powershell",
		"the shell of the test is bash"},
}

// smallPlan has estimates of all quantities in the examples.
const smallPlan = `
name: small
tolerance: 20%
alpha: 0.01
beta: 0.01
experiments:
  - {experiment: variance, distribution: normal, d_k: [4, 16, 64]}
  - experiment: exponents
  - {experiment: softmax, distribution: normal, d_k: 16, keys: 8, samples: 4096, gate: false}
`

// TestExamples runs every example of the help in a folder with the files that the examples name.
// The exit code must be 0 or the code of a verdict, and stderr must be empty.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every example of help")
	}
	dir := t.TempDir()
	samples := readFile(t, "../../testdata/attention/saved/right.npz")
	layer := readFile(t, "../../sim/model/statedict/testdata/c_attn/model.safetensors")
	writeFiles(t, dir, map[string][]byte{
		"small.yaml": []byte(smallPlan), "my.yaml": []byte(smallPlan), "my-claims.yaml": []byte(smallLedger),
		"softmax_lse.npy": encodeArray(1, 2, 8),
		"qk.npz":          samples, "q.npy": encodeArray(4, 6, 8), "k.npy": encodeArray(4, 6, 8),
		"layers.npz": encodeLayers(t),
		"step1.npz":  samples, "step2.npz": samples, "step30.npz": samples,
		"width64.npz":       encodeArchive(t, []string{"q", "k"}, 1, 32, 64),
		"width256.npz":      encodeArchive(t, []string{"q", "k"}, 1, 32, 256),
		"width1024.npz":     encodeArchive(t, []string{"q", "k"}, 1, 32, 1024),
		"model.safetensors": layer, "layer.safetensors": layer, "config.json": []byte(smallConfig),
	})
	for _, folder := range []string{"out", "old", "results"} {
		mcsim(t, dir, "run", "small.yaml", "-q", "-o", folder)
	}
	for i, shard := range []string{"a/first", "a/second", "b/third"} {
		for _, path := range []string{shard, "shards/" + filepath.Base(shard)} {
			mcsim(t, dir, "run", "small.yaml", "-q", "--shard", fmt.Sprintf("%d/3", i), "-o", path+".shard")
		}
	}
	isUsed := map[string]bool{}
	for _, c := range listCommands() {
		for example := range strings.SplitSeq(c.Example, "\n") {
			line := strings.TrimSpace(example)
			i := slices.IndexFunc(replacedExamples,
				func(s struct{ shown, run, why string }) bool { return s.shown == line })
			if i >= 0 {
				line, isUsed[replacedExamples[i].shown] = replacedExamples[i].run, true
			}
			runExample(t, dir, c.CommandPath(), line)
		}
	}
	for _, s := range replacedExamples {
		if !isUsed[s.shown] {
			t.Errorf("replacedExamples has %q, but no help shows it", s.shown)
		}
	}
}

// encodeArray returns a .npy file with an array of the given shape, with numbers of both signs.
func encodeArray(shape ...int) []byte {
	n := 1
	for _, s := range shape {
		n *= s
	}
	xs := make([]float32, n)
	for i := range xs {
		xs[i] = float32(i*i%7 - 3)
	}
	return encodeNumbers(xs, shape...)
}

// encodeNumbers returns a .npy file with an array of float32 numbers of the given shape.
func encodeNumbers(xs []float32, shape ...int) []byte {
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }",
		strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")+",")
	text := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
	text = append(text, header...)
	for _, x := range xs {
		text = binary.LittleEndian.AppendUint32(text, math.Float32bits(x))
	}
	return text
}

// encodeLayers returns an archive of queries and keys of two layers.
func encodeLayers(t *testing.T) []byte {
	t.Helper()
	return encodeArchive(t, []string{"h.0.q", "h.0.k", "h.1.q", "h.1.k"}, 4, 6, 8)
}

// encodeArchive returns an archive of arrays with the same shape.
func encodeArchive(t *testing.T, arrayNames []string, shape ...int) []byte {
	t.Helper()
	var text bytes.Buffer
	archive := zip.NewWriter(&text)
	for _, name := range arrayNames {
		w, err := archive.Create(name + ".npy")
		simtest.Must(t, err)
		_, err = w.Write(encodeArray(shape...))
		simtest.Must(t, err)
	}
	simtest.Must(t, archive.Close())
	return text.Bytes()
}

// runExample runs an example of a command's help.
func runExample(t *testing.T, dir, command, line string) {
	t.Helper()
	var stderr strings.Builder
	c := exec.Command("bash", "-o", "pipefail", "-c", line)
	c.Dir, c.Stderr = dir, &stderr
	c.Env = append(os.Environ(), "HOME="+dir)
	stdout, err := c.Output()
	var exitErr *exec.ExitError
	code := 0
	if errors.As(err, &exitErr) {
		code = exitErr.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	isVerdict := code == program.Failed || code == program.Undecided
	message := durationLine.ReplaceAllString(stderr.String(), "")
	if code != program.Passed && !isVerdict {
		t.Errorf("the example %q of %s has exit code %d, want 0 or the code of a verdict", line, command, code)
	}
	if message != "" {
		t.Errorf("the example %q of %s prints %q on stderr, want nothing", line, command, message)
	}
	if isVerdict && len(stdout) == 0 {
		t.Errorf("the example %q of %s has exit code %d, but prints no verdict", line, command, code)
	}
}

// durationLine matches the note that a slow machine prints before it draws.
var durationLine = regexp.MustCompile(`(?m)^mcsim: sampling takes .*\n`)

const smallConfig = `{"model_type": "gpt2", "n_head": 4, "n_embd": 24}`

// smallLedger is a ledger with one claim, which is true.
const smallLedger = "source: mine\nclaims:\n  - {id: a, text: the root of 4, kind: closed-form, published: 2, " +
	"by: sd_of_score, of: {d_k: 4}}\n"
