package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"testing"

	"mcsim/templates"
)

// TestStripShowsRowsOfTheProgram runs the script of the first page in Node, and compares scores,
// weights and labels of rows with those of the program.
func TestStripShowsRowsOfTheProgram(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	script, err := templates.Files.ReadFile("strip.js")
	if err != nil {
		t.Fatal(err)
	}
	arithmetic, _, found := strings.Cut(string(script), "// The page.")
	if !found {
		t.Fatal("strip.js has no part \"// The page.\"")
	}
	type shown struct {
		Scores, Weights []float64
		Label           string
	}
	l := &lab{}
	for _, row := range []int{2583, 0, 17} {
		for _, d := range []int{1, 4, 64, 1024} {
			for i, exponent := range []string{"0", "1"} {
				command := fmt.Sprintf(`%s
					const { sums, queryLengths } = sampleRow(7, %d), scores = sums.map(s => s[%d]);
					const { weights, label } = measure(scores, %d ** -%s, queryLengths[%d]);
					console.log(JSON.stringify({ scores, weights, label }));`, arithmetic, row, d, d, exponent, d)
				output, err := exec.Command(node, "-e", command).Output()
				if err != nil {
					t.Fatal(err)
				}
				var got shown
				if err := json.Unmarshal(output, &got); err != nil {
					t.Fatal(err)
				}
				want, err := l.answerRequest(fmt.Sprintf(`{"d_k":"%d","row":"%d","exponent":"1"}`, d, row))
				if err != nil {
					t.Fatal(err)
				}
				scaling := want.Scalings[i]
				for j, score := range want.Scores {
					if got.Scores[j] != float64(score) {
						t.Errorf("row %d, d_k = %d: score %d is %v, want %v", row, d, j, got.Scores[j], score)
					}
					if math.Abs(got.Weights[j]-float64(scaling.Weights[j])) > 1e-6 { // the program has float32
						t.Errorf("row %d, d_k = %d, exponent %s: weight %d is %v, want %v", row, d, exponent, j,
							got.Weights[j], scaling.Weights[j])
					}
				}
				if got.Label != scaling.Label {
					t.Errorf("row %d, d_k = %d, exponent %s: label %q, want %q", row, d, exponent, got.Label, scaling.Label)
				}
			}
		}
	}
}
