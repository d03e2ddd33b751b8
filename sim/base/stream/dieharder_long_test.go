//go:build long

package stream

import (
	"fmt"
	"io"
	"math"
	"os/exec"
	"strings"
	"testing"
)

// dieharders are the tests of dieharder 3.31.1 that are run, three of them on
// fewer words (-t) for their time. Fewer repetitions (-p) would not do: with
// five of them even the Mersenne Twister (-g 13 -S 7 -d 8 -p 5) has p-values of
// 1.00000 and FAILS. Left out are those that dieharder marks Suspect (5–7) or
// Do Not Use (14), and those that add little to their neighbours: 100 to 102,
// 204 to 200, 206 to 205.
var dieharders = []string{
	"-d 0", "-d 1", "-d 2 -t 20000", "-d 3", "-d 4", "-d 8", "-d 9", "-d 10", "-d 11", "-d 12", "-d 13",
	"-d 15", "-d 16", "-d 17 -t 1000000", "-d 101", "-d 102", "-d 200 -n 8", "-d 201 -n 3", "-d 202", "-d 203 -n 2 -t 500000",
	"-d 205", "-d 207", "-d 208", "-d 209",
}

// selection says which words dieharder reads: those of one lane, or of all lanes in an order.
type selection struct {
	order order
	lane  int
}

var dieharderStreams = map[string]selection{
	"lane 0": {oneLane, 0}, "lane 7": {oneLane, 7}, "lane 15": {oneLane, 15},
	"interleaved": {order: interleaved}, "first words": {order: firstWords},
}

// TestDieharder feeds the words of the lanes to dieharder. It calls a p-value
// within 10⁻⁶ of 0 or 1 FAILED, which fails here at once, and one within 0.005
// WEAK, which one in a hundred is: that test is repeated under another seed,
// and fails if the same p-value is WEAK under three. With 58 p-values a
// stream, 290 in all, something fails though all is well with a chance of
// 290·(2·10⁻⁶ + 10⁻⁶) ≈ 10⁻³.
func TestDieharder(t *testing.T) {
	if _, err := exec.LookPath("dieharder"); err != nil {
		t.Skip("wants dieharder (apt-get install dieharder)")
	}
	for name, words := range dieharderStreams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			count, weak := 0, 0
			for _, options := range dieharders {
				n, w := repeatWeak(t, words, options)
				count, weak = count+n, weak+w
			}
			t.Logf("%d p-values, %d WEAK at first", count, weak)
		})
	}
}

// repeatWeak runs a test under up to three seeds, and returns how many
// p-values the first gave and how many of them were WEAK.
func repeatWeak(t *testing.T, words selection, options string) (count, firstWeak int) {
	var weak map[string]bool
	for seed := 1; seed <= 3; seed++ {
		assessments := dieharder(t, words, options, uint64(seed))
		weakAgain := map[string]bool{}
		for key, assessment := range assessments {
			switch {
			case assessment == "FAILED":
				t.Errorf("dieharder %s, seed %d: %s FAILED", options, seed, key)
			case assessment != "PASSED" && assessment != "WEAK":
				t.Fatalf("dieharder %s says %q", options, assessment)
			case assessment == "WEAK" && (seed == 1 || weak[key]):
				t.Logf("dieharder %s, seed %d: %s WEAK", options, seed, key)
				weakAgain[key] = true
			}
		}
		if seed == 1 {
			count, firstWeak = len(assessments), len(weakAgain)
		}
		if weak = weakAgain; len(weak) == 0 {
			return count, firstWeak
		}
	}
	t.Errorf("dieharder %s: %v WEAK under three seeds", options, weak)
	return count, firstWeak
}

// dieharder returns the assessment of every p-value of a test.
func dieharder(t *testing.T, words selection, options string, seed uint64) map[string]string {
	test := exec.Command("dieharder", append(strings.Fields(options), "-g", "200", "-c", ",",
		"-D", "test_name", "-D", "ntuple", "-D", "pvalues", "-D", "assessment")...)
	source, pipe := io.Pipe()
	test.Stdin = source
	go writeBits(pipe, words.order, words.lane, seed, math.MaxInt64)
	defer source.Close() // which ends the words
	out, err := test.Output()
	if err != nil {
		t.Fatalf("dieharder %s: %v", options, err)
	}
	assessments := map[string]string{}
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Split(line, ",")
		if len(fields) != 4 {
			t.Fatalf("dieharder %s prints %q", options, line)
		}
		for j := range fields {
			fields[j] = strings.TrimSpace(fields[j])
		}
		assessments[fmt.Sprintf("%s %s, p-value %d", fields[0], fields[1], i)] = fields[3]
	}
	return assessments
}
