package claim_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"mcsim/sim/claim"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/names"
	"mcsim/sim/simtest"
)

// TestGuide checks the guide docs/claims.md: it must have the verdicts of its example ledger, which
// include three kinds, and a line for each key of keys.txt.
func TestGuide(t *testing.T) {
	data, err := os.ReadFile("../../docs/claims.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := string(data)
	_, example, _ := strings.Cut(guide, "\n```yaml\n")
	example, _, _ = strings.Cut(example, "\n```\n")
	l, err := claim.Parse("docs/claims.md", []byte(example+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := planMissing([]*claim.Ledger{l}, nil, 7)
	if err != nil || len(p.Entries) == 0 {
		t.Fatalf("planMissing returned the plan %v with the error %v, want a plan with entries", p, err)
	}
	s, err := schedule.New(p)
	if err != nil {
		t.Fatal(err)
	}
	doc := simtest.BuildDocument(t, s)
	var verdicts []string
	for _, c := range claim.Judge([]*claim.Ledger{l}, doc.Estimates) {
		line := "| " + c.ID + " | " + c.Verdict + " |\n"
		if !strings.Contains(guide, line) {
			t.Errorf("the guide lacks the line %q", line)
		}
		verdicts = append(verdicts, c.Verdict)
	}
	for _, want := range []string{names.ClaimHolds, names.ClaimRounding, names.ClaimImprecise} {
		if !slices.Contains(verdicts, want) {
			t.Errorf("the claims of the guide have the verdicts %q, want one %q", verdicts, want)
		}
	}
	keys, err := os.ReadFile("keys.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(keys)) {
		name, meaning, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if line := "| `" + name + "` | " + meaning + " |\n"; !strings.Contains(guide, line) {
			t.Errorf("the guide lacks the line %q", line)
		}
	}
}
