package view

import (
	"fmt"
	"io"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/essay"
)

// PrintFindings prints how many findings of the essay a document supports, and the findings that it
// does not support.
func PrintFindings(w io.Writer, r essay.Report) {
	if len(r.Missing) > 0 {
		fmt.Fprintf(w, "no essay, since it needs %s that these results do not have, such as %s\n",
			show.FormatCount(len(r.Missing), "number"), r.Missing[0])
		return
	}
	supported := len(r.Findings) - len(r.Unmet)
	fmt.Fprintf(w, "findings of the essay: %d of %d hold in these results\n", supported, len(r.Findings))
	for _, u := range r.Unmet {
		status := "does not hold"
		if u.IsOpen {
			status = "not settled"
		}
		fmt.Fprintf(w, "%s, on %s.html: %s\n", status, u.Page, strings.Join(u.Reasons, "; "))
	}
}
