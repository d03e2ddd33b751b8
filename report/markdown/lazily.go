package markdown

import (
	"regexp"
	"sync"
)

// lazily compiles a pattern once it is needed: classes of letters take long, and most commands
// render nothing.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
