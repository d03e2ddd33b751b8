// Package ask has the commands that answer a question about a model: at initialisation
// (advise), of queries and keys that one has (inspect), of what a layer takes (cost).
package ask

import "github.com/spf13/cobra"

// Commands are those of the package.
func Commands() []*cobra.Command {
	return []*cobra.Command{adviseCommand(), inspectCommand(), costCommand()}
}
