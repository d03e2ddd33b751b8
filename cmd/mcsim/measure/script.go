package measure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/sim/engine/plan"
	"mcsim/sim/engine/script"
	"mcsim/sim/names"
)

// scriptFlags collects the flags in a job for the script.
type scriptFlags struct{ job script.Job }

func engineNames() []string {
	return names.Map(script.Engines, func(e script.Engine) string { return e.Name })
}

func newScriptCommand() *cobra.Command {
	var f scriptFlags
	c := &cobra.Command{
		Use: "script " + strings.Join(engineNames(), "|") + " PLAN",
		Args: cmdline.RequireArgs(2, 2,
			"an engine ("+strings.Join(engineNames(), ", ")+") and a plan, such as slurm default -N 200"),
		ValidArgsFunction: completeScript,
		RunE:              func(c *cobra.Command, args []string) error { return f.printScript(c, args[0], args[1]) },
	}
	f.add(c.Flags())
	return c
}

// completeScript completes an engine and then a plan.
func completeScript(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return engineNames(), cobra.ShellCompDirectiveNoFileComp
	case 1:
		return completePlan(c, nil, typed)
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func (f *scriptFlags) add(flags *pflag.FlagSet) {
	const maxShards = script.MaxShards
	job, slurm, k8s := &f.job, &f.job.Slurm, &f.job.Kubernetes
	flags.VarP(cmdline.NewInteger(&job.Count, 1, maxShards), "parts", "N",
		fmt.Sprintf("%s: 1 to %d", cmdline.ShardsUsage, maxShards))
	flags.StringVar(&job.ShardsDir, "shards", script.DefaultShardsDir, "folder `DIR` of the shards")
	flags.StringVarP(&job.ResultsDir, "out", "o", script.DefaultResultsDir,
		cmdline.OutUsage+": folder `DIR` of the results, which the script makes")
	flags.Var(cmdline.NewInteger(&job.Workers, 1, cmdline.MaxWorkers), "workers",
		"how many cores draw; results do not depend on it (default: 1 for a shard)")
	flags.StringVar(&slurm.Time, "time", "", "slurm: time limit of a task, `TIME` such as 2:00:00")
	flags.StringVar(&slurm.Partition, "partition", "", "slurm: partition `NAME`")
	flags.StringVar(&slurm.Memory, "mem", "",
		"memory of a task or pod, `SIZE` such as 500M (slurm) or 500Mi (k8s)")
	flags.Var(cmdline.NewInteger(&slurm.MaxArray, 2, maxShards), "max-array", fmt.Sprintf("slurm: the cluster's "+
		"MaxArraySize; if there are more shards, a task draws several (default %d)", script.DefaultMaxArray))
	flags.StringVar(&k8s.Image, "image", "", "k8s: image `NAME` that has mcsim and sh")
	flags.StringVar(&k8s.Claim, "claim", "", "k8s: PersistentVolumeClaim `NAME` that holds the folders")
	flags.StringVar(&k8s.Namespace, "namespace", "", "k8s: namespace `NAME`")
	flags.Var(cmdline.NewInteger(&k8s.Parallelism, 1, maxShards), "parallelism",
		"k8s: maximum number of pods at once (default: one for each shard)")
}

// flagEngines maps a flag to the engines that support it; all engines support the other flags.
var flagEngines = map[string][]string{
	"time": {"slurm"}, "partition": {"slurm"}, "max-array": {"slurm"}, "mem": {"slurm", "k8s"},
	"image": {"k8s"}, "claim": {"k8s"}, "namespace": {"k8s"}, "parallelism": {"k8s"},
}

// check refuses an unknown engine, flags that the engine does not support, and a missing number of
// shards.
func (f *scriptFlags) check(c *cobra.Command, engine string) error {
	if err := cmdline.RefuseUnknown("engine", engine, engineNames()); err != nil {
		return err
	}
	var err error
	c.Flags().Visit(func(flag *pflag.Flag) {
		engines := flagEngines[flag.Name]
		if err == nil && len(engines) > 0 && !slices.Contains(engines, engine) {
			err = fmt.Errorf("--%s is for %s, not for %s",
				flag.Name, strings.Join(engines, " and "), engine)
		}
	})
	if err != nil {
		return err
	}
	if f.job.Count == 0 {
		return errors.New("-N is missing: give the number of shards of the plan, such as -N 200")
	}
	return nil
}

// printScript prints the script of an engine for a plan.
func (f *scriptFlags) printScript(c *cobra.Command, engine, name string) error {
	if err := f.check(c, engine); err != nil {
		return err
	}
	title, text, err := readPlan(name, c.InOrStdin())
	if err != nil {
		return err
	}
	p, err := plan.Parse(title, text)
	if err != nil {
		return err
	}
	f.job.Plan, f.job.Text = p.Name, text
	f.job.Kubernetes.Memory = f.job.Slurm.Memory
	text, err = script.Engines[slices.Index(engineNames(), engine)].Write(f.job)
	if invalid, ok := errors.AsType[script.ValueError](err); ok {
		return fmt.Errorf("--%w", invalid)
	}
	if err != nil {
		return err
	}
	_, err = c.OutOrStdout().Write(text)
	return err
}
