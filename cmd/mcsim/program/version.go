// Package program has the exit codes of the program, its shutdown after a signal, its version, and
// its limits on memory.
package program

import "runtime/debug"

// Version is the release; the builder may set it with -ldflags.
var Version = "0.1.0-dev"

// BuildVersion returns the release and the revision of the program. The revision is empty if the
// build did not record it, for example with GOFLAGS=-buildvcs=false.
func BuildVersion() (version, revision string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Version, revision
	}
	const maxDigits = 12 // of the revision; enough to identify it
	changeSuffix := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(maxDigits, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changeSuffix = "+changes"
		}
	}
	if revision != "" {
		revision += changeSuffix
	}
	return Version, revision
}
