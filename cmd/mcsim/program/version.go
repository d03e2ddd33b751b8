// Package program has the exit codes of the program, its shutdown after a signal, its version, and
// its limits on memory.
package program

import "runtime/debug"

// Version is the release; the builder may set it with -ldflags.
var Version = "0.1.0-dev"

// BuildVersion returns the release and the revision of the program. The revision is empty if the
// builder did not stamp it, as with GOFLAGS=-buildvcs=false.
func BuildVersion() (version, revision string) {
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
