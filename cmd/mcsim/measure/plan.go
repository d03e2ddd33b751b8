package measure

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/results"
	"mcsim/cmd/mcsim/show"
	"mcsim/cmd/mcsim/view"
	"mcsim/sim/base/markup"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
)

type planFlags struct {
	change         changeFlags
	readyName      string
	printAll, json bool
}

func newPlanCommand() *cobra.Command {
	var f planFlags
	c := &cobra.Command{
		Use:  "plan [FILE]",
		Args: cmdline.RequireArgs(0, 1, "one plan"), ValidArgsFunction: completePlan,
		RunE: func(c *cobra.Command, args []string) error {
			if f.readyName == "" {
				return f.print(c.InOrStdin(), c.OutOrStdout(), args)
			}
			if c.Flags().NFlag()+len(args) > 1 {
				return errors.New("--show prints the text of a ready plan as it is; omit other flags and arguments")
			}
			text, err := plan.Copy(f.readyName)
			if err != nil {
				return err
			}
			_, err = c.OutOrStdout().Write(text)
			return err
		},
	}
	c.Flags().BoolVarP(&f.printAll, "all", "a", false, cmdline.AllUsage)
	c.Flags().BoolVar(&f.json, "json", false, cmdline.JSONUsage)
	f.change.add(c)
	c.Flags().StringVar(&f.readyName, "show", "",
		"print the text of the ready plan `NAME`: "+strings.Join(plan.Names(), ", "))
	cmdline.CompleteValues(c, "show", plan.Names()...)
	return c
}

// print prints an outline of the plan.
func (f *planFlags) print(stdin io.Reader, w io.Writer, args []string) error {
	p, err := loadPlan(args, stdin, &f.change)
	if err != nil {
		return err
	}
	s, err := schedule.New(p)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Title(), err)
	}
	outline := s.Outline(runtime.NumCPU())
	if !f.printAll {
		outline.Rows = nil
	}
	if f.json {
		return show.JSON(w, outline)
	}
	view.Plan(w, p.Title(), outline, f.printAll)
	return nil
}

// loadPlan reads the plan that an optional argument names, and applies the changes to it. The
// argument is a file, - for the standard input, or a ready plan; the default is the ready plan
// "default".
func loadPlan(args []string, stdin io.Reader, change *changeFlags) (*plan.Plan, error) {
	name := "default"
	if len(args) > 0 {
		name = args[0]
	}
	title, text, err := readPlan(name, stdin)
	if err != nil {
		return nil, err
	}
	return change.parse(title, text)
}

// readPlan returns the text of the plan that an argument names, and a title for errors that says
// where the text is from.
func readPlan(name string, stdin io.Reader) (title string, text []byte, err error) {
	if name == "" {
		return "", nil, errors.New("the argument is empty: give a YAML file, the name of a ready plan, or -")
	}
	if name == "-" {
		text, err := io.ReadAll(io.LimitReader(stdin, markup.MaxSize+1))
		if err != nil {
			return "", nil, fmt.Errorf("standard input: %w", err)
		}
		return "standard input", text, nil
	}
	text, err = results.ReadText(name, markup.MaxSize)
	if err == nil {
		return name, text, nil
	}
	if ready, err := plan.Embedded(name); err == nil {
		return name + ".yaml (ready plan)", ready, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, missingPlanError(name)
	}
	return "", nil, err
}

// missingPlanError reports that a name is neither a file nor a ready plan. It names the file with the
// other ending of YAML, if there is one, or else ready plans.
func missingPlanError(name string) error {
	for _, endings := range [][2]string{{".yml", ".yaml"}, {".yaml", ".yml"}} {
		other := strings.TrimSuffix(name, endings[0]) + endings[1]
		_, err := os.Stat(other)
		if err == nil && strings.HasSuffix(name, endings[0]) {
			return fmt.Errorf("there is no file %s; did you mean %s?", name, other)
		}
	}
	return fmt.Errorf("%s is neither a file nor a ready plan%s", name, names.Suggest(name, plan.Names()))
}

// completePlan completes the names of ready plans, or of files if no plan has the typed prefix.
func completePlan(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return plan.Names(), cobra.ShellCompDirectiveDefault
}
