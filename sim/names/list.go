package names

import (
	"fmt"
	"strings"
)

// List joins the first maxShown texts by the separator and adds the number of the others:
// "a, b and 3 more" with the separator ", ", "a; b; and 3 more" with "; ".
func List(texts []string, separator string, maxShown int) string {
	hidden := len(texts) - maxShown
	if hidden <= 0 {
		return strings.Join(texts, separator)
	}
	last := strings.TrimPrefix(separator, ",") + "and"
	return fmt.Sprintf("%s%s %d more", strings.Join(texts[:maxShown], separator), last, hidden)
}

// Count formats a number of things: 1 row, 2 rows.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
