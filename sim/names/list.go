package names

import (
	"fmt"
	"strings"
)

// List joins the first maxShown texts and adds the number of the others: "a, b and 3 more" or "a;
// b; and 3 more".
func List(texts []string, separator string, maxShown int) string {
	rest := len(texts) - maxShown
	if rest <= 0 {
		return strings.Join(texts, separator)
	}
	last := strings.TrimPrefix(separator, ",") + "and"
	return fmt.Sprintf("%s%s %d more", strings.Join(texts[:maxShown], separator), last, rest)
}

// Count formats a number of things: 1 row, 2 rows.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
