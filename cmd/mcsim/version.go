package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
)

// Version is the release; the builder may set it by -ldflags.
var Version = "0.1.0-dev"

func versionCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "version",
		Short: "print version, revision, kernel and Go version",
		Long: `Print the version of the program, the revision of its source, the version of the
random bits and the implementation that draws them here, the format of results,
and the version of Go and the system that it was built with.`,
		Example: `  mcsim version
  mcsim version --json`,
		Args: flag.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return printed(c.OutOrStdout(), asJSON, thisVersion(), func() { fmt.Fprintln(c.OutOrStdout(), versionLine()) })
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, flag.JSON)
	return c
}

// thisVersion says which program, kernel, format and system this is.
func thisVersion() show.GivenVersion {
	version, revision := buildVersion()
	return show.GivenVersion{Version: version, Revision: revision, KernelVersion: kernel.Version, Kernel: kernel.Name(),
		Schema: result.Schema, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
}

// versionLine says the same in one line.
func versionLine() string {
	v := thisVersion()
	return fmt.Sprintf("mcsim %s (%s), kernel %d %s, %s, %s %s", v.Version, cmp.Or(v.Revision, "unknown revision"),
		v.KernelVersion, v.Kernel, v.Schema, v.Go, v.System)
}

// buildVersion is the release and the revision that the program was built from, which is
// empty where the builder did not stamp it, as with GOFLAGS=-buildvcs=false.
func buildVersion() (version, revision string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Version, revision
	}
	dirty := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if revision != "" {
		revision += dirty
	}
	return Version, revision
}
