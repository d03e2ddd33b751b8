package show

import (
	"fmt"
	"io"
	"strings"

	"mcsim/report/essay"
)

// Findings says what a document makes of the findings of the essay.
func Findings(w io.Writer, r essay.Report) {
	if len(r.Missing) > 0 {
		fmt.Fprintf(w, "the record alone: the essay reads %s that these results do not hold, such as %s\n",
			Counted(len(r.Missing), "number"), r.Missing[0])
		return
	}
	fmt.Fprintf(w, "findings of the essay: %d of %d are borne out\n", len(r.Findings)-len(r.Unmet), len(r.Findings))
	for _, u := range r.Unmet {
		what := "not borne out"
		if u.IsOpen {
			what = "not settled"
		}
		fmt.Fprintf(w, "%s, on %s.html: %s\n", what, u.Page, strings.Join(u.Reasons, "; "))
	}
}
