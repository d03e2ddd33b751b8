package main

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/cmd/mcsim/program"
	"mcsim/cmd/mcsim/show"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
)

func versionCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:  "version",
		Args: cmdline.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			out := c.OutOrStdout()
			return show.Print(out, asJSON, thisVersion(), func() { fmt.Fprintln(out, versionLine()) })
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, cmdline.JSON)
	return c
}

// givenVersion is what a program says of itself.
type givenVersion struct {
	Version       string `json:"version"`
	Revision      string `json:"revision,omitempty"` // empty: the builder did not stamp it
	KernelVersion int    `json:"kernel_version"`
	Kernel        string `json:"kernel"`
	Schema        string `json:"schema"`
	Go            string `json:"go"`
	System        string `json:"system"`
}

// thisVersion says which program, kernel, format and system this is.
func thisVersion() givenVersion {
	version, revision := program.Build()
	return givenVersion{Version: version, Revision: revision, KernelVersion: kernel.Version, Kernel: kernel.Name(),
		Schema: result.Schema, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
}

// versionLine says the same in one line.
func versionLine() string {
	v := thisVersion()
	return fmt.Sprintf("mcsim %s (%s), kernel %d %s, %s, %s %s", v.Version, cmp.Or(v.Revision, "unknown revision"),
		v.KernelVersion, v.Kernel, v.Schema, v.Go, v.System)
}
