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

// dieharderOptions are the options of the tests of dieharder 3.31.1 that are run, three of them
// with fewer words (-t) to save time. The number of repetitions (-p) must not be smaller: with
// five, even the Mersenne Twister (-g 13 -S 7 -d 8 -p 5) has p-values of 1.00000 and FAILS. The
// list omits tests that dieharder marks Suspect (5–7) or Do Not Use (14), and tests that are
// similar to another one (100 to 102, 204 to 200, 206 to 205).
var dieharderOptions = []string{
	"-d 0", "-d 1", "-d 2 -t 20000", "-d 3", "-d 4", "-d 8", "-d 9", "-d 10", "-d 11", "-d 12", "-d 13",
	"-d 15", "-d 16", "-d 17 -t 1000000", "-d 101", "-d 102", "-d 200 -n 8", "-d 201 -n 3", "-d 202",
	"-d 203 -n 2 -t 500000",
	"-d 205", "-d 207", "-d 208", "-d 209",
}

// selection is the order in which dieharder reads the words of all lanes, or the lane whose words
// it reads.
type selection struct {
	order order
	lane  int
}

var dieharderStreams = map[string]selection{
	"lane 0": {oneLane, 0}, "lane 7": {oneLane, 7}, "lane 15": {oneLane, 15},
	"interleaved": {order: interleaved}, "first words": {order: firstWords},
}

// TestDieharder passes the words of the lanes to dieharder. A p-value within 10⁻⁶ of 0 or 1 is
// FAILED, which fails this test. A p-value within 0.005 of 0 or 1 is WEAK; this happens once in a
// hundred. The test of dieharder is then repeated with other seeds, and fails this test if the same
// p-value is WEAK for three seeds. With 58 p-values per stream, 290 in all, correct lanes fail with
// a probability of 290·(2·10⁻⁶ + 10⁻⁶) ≈ 10⁻³.
func TestDieharder(t *testing.T) {
	if _, err := exec.LookPath("dieharder"); err != nil {
		t.Skip("needs dieharder (apt-get install dieharder)")
	}
	for name, words := range dieharderStreams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			count, weakCount := 0, 0
			for _, options := range dieharderOptions {
				n, weak := repeatWeak(t, words, options)
				count, weakCount = count+n, weakCount+weak
			}
			t.Logf("%d p-values, %d WEAK for the first seed", count, weakCount)
		})
	}
}

// repeatWeak runs a test with up to three seeds. It returns the number of p-values for the first
// seed, and how many of them were WEAK.
func repeatWeak(t *testing.T, words selection, options string) (count, firstWeak int) {
	var weak map[string]bool
	for seed := 1; seed <= 3; seed++ {
		assessments := runDieharder(t, words, options, uint64(seed))
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
		weak = weakAgain
		if len(weak) == 0 {
			return count, firstWeak
		}
	}
	t.Errorf("dieharder %s: the p-values %v are WEAK for three seeds", options, weak)
	return count, firstWeak
}

// runDieharder runs a test of dieharder and returns the assessment of each of its p-values.
func runDieharder(t *testing.T, words selection, options string, seed uint64) map[string]string {
	test := exec.Command("dieharder", append(strings.Fields(options), "-g", "200", "-c", ",",
		"-D", "test_name", "-D", "ntuple", "-D", "pvalues", "-D", "assessment")...)
	source, pipe := io.Pipe()
	test.Stdin = source
	go writeBits(pipe, words.order, words.lane, seed, math.MaxInt64)
	defer source.Close() // ends writeBits
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
