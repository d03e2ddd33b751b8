// Package measure has the commands that draw, and that say what would be drawn: probe, plan
// and run, and for many machines script and merge.
package measure

import "github.com/spf13/cobra"

// Build says which release and which revision the program is.
type Build func() (version, revision string)

// Commands are those of the package, for a program of that build.
func Commands(build Build) []*cobra.Command {
	return []*cobra.Command{probeCommand(), planCommand(), runCommand(build), scriptCommand(), mergeCommand(build)}
}
