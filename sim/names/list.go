package names

import (
	"fmt"
	"strings"
)

// List joins the first maxShown of some texts, and says how many more there are.
func List(texts []string, separator string, maxShown int) string {
	if more := len(texts) - maxShown; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:maxShown], separator), more)
	}
	return strings.Join(texts, separator)
}
