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

func newVersionCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:  "version",
		Args: cmdline.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			stdout := c.OutOrStdout()
			return show.Print(stdout, asJSON, newVersionInfo(), func() { fmt.Fprintln(stdout, formatVersion()) })
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, cmdline.JSONUsage)
	return c
}

// versionInfo is the output of version --json.
type versionInfo struct {
	Version       string `json:"version"`
	Revision      string `json:"revision,omitempty"` // empty if the build did not record it
	KernelVersion int    `json:"kernel_version"`
	Kernel        string `json:"kernel"`
	Schema        string `json:"schema"`
	Go            string `json:"go"`
	System        string `json:"system"`
}

// newVersionInfo describes the program, its kernel, its format and its system.
func newVersionInfo() versionInfo {
	version, revision := program.BuildVersion()
	return versionInfo{
		Version:       version,
		Revision:      revision,
		KernelVersion: kernel.Version,
		Kernel:        kernel.Name(),
		Schema:        result.Schema,
		Go:            runtime.Version(),
		System:        runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// formatVersion formats the version in one line.
func formatVersion() string {
	v := newVersionInfo()
	return fmt.Sprintf("mcsim %s (%s), kernel %d %s, %s, %s %s", v.Version, cmp.Or(v.Revision, "unknown revision"),
		v.KernelVersion, v.Kernel, v.Schema, v.Go, v.System)
}
