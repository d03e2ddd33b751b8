package view

import (
	"io"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/essay"
)

// PrintFindings prints how many findings of the essay a document supports, and the findings that it
// does not support.
func PrintFindings(w io.Writer, r essay.Report) {
	if len(r.Missing) > 0 {
		show.Linef(w, "no essay, since it needs %s that these results do not have, such as %s",
			show.FormatCount(len(r.Missing), "number"), r.Missing[0])
		return
	}
	supported := len(r.Findings) - len(r.Unmet)
	show.Linef(w, "findings of the essay: %d of %d hold in these results", supported, len(r.Findings))
	for _, u := range r.Unmet {
		status := "does not hold"
		if u.IsOpen {
			status = "not settled"
		}
		show.Linef(w, "%s, on %s.html: %s", status, u.Page, strings.Join(u.Reasons, "; "))
	}
}
