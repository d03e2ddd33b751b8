// Package program holds what concerns the running program as a whole: its exit codes, how it ends
// after a signal, its version, and how much memory the garbage collector may use.
package program

import "runtime/debug"

// Version is the release; the builder may set it with -ldflags.
var Version = "0.1.0-dev"

// Build returns the release and the revision that the program was built from. The revision is
// empty if the builder did not stamp it, as with GOFLAGS=-buildvcs=false.
func Build() (version, revision string) {
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
