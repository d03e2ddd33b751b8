package folder

import "runtime/debug"

// Version is the release; the builder may set it by -ldflags.
var Version = "0.1.0-dev"

// Build is the release and the revision that the program was built from, which is
// empty where the builder did not stamp it, as with GOFLAGS=-buildvcs=false.
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
