package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
)

// Version is the release; the builder may set it by -ldflags.
var Version = "0.1.0-dev"

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print version, revision, kernel and Go version",
		Args:  flag.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), versionLine())
			return err
		},
	}
}

// versionLine says which program, kernel, format and system this is.
func versionLine() string {
	version, revision := buildVersion()
	revision = cmp.Or(revision, "unknown revision")
	return fmt.Sprintf("mcsim %s (%s), kernel %d %s, %s, %s %s/%s", version, revision,
		kernel.Version, kernel.Name(), result.Schema, runtime.Version(), runtime.GOOS, runtime.GOARCH)
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
