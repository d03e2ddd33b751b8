// Command mcsim settles, by Monte Carlo and with honest error bars, what
// dividing attention scores by √d_k does.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/folder"
	"mcsim/cmd/mcsim/measure"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/base/replace"
	"mcsim/sim/engine/shard"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// ending is held by who ends the program after a signal, and never given back.
var ending sync.Mutex

// untilSignal ends the program on the first signal, wherever it is, unless a command is
// tidying, which then ends by itself.
func untilSignal(signals chan os.Signal, cancel func()) {
	<-signals
	signal.Stop(signals) // a second one ends the program at once
	cancel()
	if !folder.Tidying.Load() {
		os.Exit(interrupted(nil))
	}
}

// interrupted takes back what was not wholly written, says what became of the work, and
// returns the exit code; err is what the command ended with.
func interrupted(err error) int {
	ending.Lock()
	placed := slices.DeleteFunc(replace.Abandon(), func(path string) bool { return path == folder.Recorded() })
	code, said := show.Interrupted, "what it wrote is in its place"
	switch {
	case err != nil && !errors.Is(err, context.Canceled) && !errors.As(err, new(show.Exit)):
		code, said = show.Bad, err.Error()
	case len(placed) > 0:
	case folder.Recorded() != "":
		said = fmt.Sprintf("what was drawn is in %s; the same command, without --fresh, goes on from there", folder.Recorded())
	default:
		said = "no file was replaced"
	}
	complain(os.Stderr, errors.New("interrupted; "+said))
	return code
}

func main() { os.Exit(Main()) }

// Main runs the command line and returns its exit code.
func Main() int {
	if err := checkLimits(); err != nil {
		complain(os.Stderr, err)
		return show.Bad
	}
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}
	go untilSignal(signals, cancel)
	root, out := command(), &output{w: os.Stdout}
	root.SetOut(out)
	err := root.ExecuteContext(ctx)
	if ctx.Err() != nil {
		return interrupted(err)
	}
	var code show.Exit
	switch {
	case err == nil && out.err == nil:
		return show.Passed
	case err == nil:
		err = out.err
	case errors.As(err, &code):
		return int(code)
	}
	complain(os.Stderr, err)
	if of := (shard.Error{}); errors.As(err, &of) {
		return show.Shards + int(of.Kind)
	}
	return show.Bad
}

// complain says what is wrong in one line. Of a file it names the place and what is wrong
// there, and not the call of the system that failed.
func complain(w io.Writer, err error) {
	text := err.Error()
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.Replace(text, of.Error(), of.Path+": "+of.Err.Error(), 1)
	}
	fmt.Fprintf(w, "mcsim: %s\n", names.Printable(text))
}

// command is the whole command line.
func command() *cobra.Command {
	root := &cobra.Command{
		Use:   "mcsim COMMAND",
		Short: "settle by Monte Carlo what dividing attention scores by √d_k does",
		Long: `mcsim draws random queries and keys and measures Var(q·k) and what is left of it
after a division by d_k^p. It compares the results with theory, within declared
tolerances, and writes a site.

Commands that read results take their folder, or a results.json, as an argument;
the default is out. -o says where to write. Numbers may be written 1e6, 1/3,
2^10, 5%.

Exit codes: 0 done, and all gates pass; 1 a check failed, or compared results
differ; 2 usage, bad input or a machine that refuses; 3 undecided: too few
samples; 4 to 8 shards that do not make up a plan (mcsim help merge); 130
interrupted. Verdicts have colours on a terminal unless NO_COLOR is set.`,
		Example: `  mcsim probe --d-k 64
  mcsim run && mcsim report && mcsim verify
  mcsim help run`,
		SilenceErrors: true, SilenceUsage: true, DisableFlagsInUseLine: true,
		Version: versionLine(),
		Args:    flag.KnownCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },

		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			return cmp.Or(flag.NotEmpty(c), flag.Heard(c), kernel.Select())
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flag.Error)
	root.SetUsageFunc(flag.Use)
	help := flag.HelpCommand()
	root.SetHelpCommand(help)
	for _, part := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Measure", measure.Commands()},
		{"Read results", []*cobra.Command{reportCommand(), figuresCommand(), exportCommand(), verifyCommand(), compareCommand(), claimsCommand()}},
		{"Ask about a model", []*cobra.Command{adviseCommand(), modelsCommand(), inspectCommand(), costCommand()}},
		{"Look up and set up", []*cobra.Command{explainCommand(), help, versionCommand(), completionCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: part.title, Title: part.title})
		for _, c := range part.commands {
			c.GroupID = part.title
			flag.OfferPaths(c)
			root.AddCommand(c)
		}
	}
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	return root
}
