package names

import (
	"fmt"
	"strings"
)

// List joins the first maxShown of some texts, and says how many more there are: a, b, and 2 more.
func List(texts []string, separator string, maxShown int) string {
	if more := len(texts) - maxShown; more > 0 {
		return fmt.Sprintf("%s%sand %d more", strings.Join(texts[:maxShown], separator), separator, more)
	}
	return strings.Join(texts, separator)
}

// Count writes a number of things: 1 row, 2 rows.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
