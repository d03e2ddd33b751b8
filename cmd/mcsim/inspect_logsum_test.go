package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"mcsim/cmd/mcsim/program"
	"mcsim/sim/simtest"
)

// TestInspectLogSums checks verdicts, exit codes and the output about log-sum-exps. The means of
// the four texts are 6 to 6.3, so σ is about 2.07, and the largest logit is between 3.1 and 7.3.
func TestInspectLogSums(t *testing.T) {
	dir := t.TempDir()
	var sums []float32
	for text := range 4 {
		for row := range 32 {
			sums = append(sums, 6+float32(text)/10+float32(row%3-1))
		}
	}
	zeros := make([]float32, 32)
	for i := range zeros {
		zeros[i] = float32(math.Log(64))
	}
	writeFiles(t, dir, map[string][]byte{"softmax_lse.npy": encodeNumbers(sums, 4, 1, 32),
		"lse.npy": encodeNumbers(zeros, 32), "lse_keys.npy": encodeNumbers([]float32{64}, 1)})
	for name, c := range map[string]struct {
		args string
		code int
		want []string
	}{
		"no gate": {"softmax_lse.npy --keys 64", program.Passed, []string{
			"Judged Log-sum-exps: softmax_lse, 4 texts × 1 head × 32 rows; the last row sees 64 keys.",
			"Assumed logits of a row are normal with mean 0.", "Below √(2 ln n) = 2.88", "3.14 to 7.30"}},
		"pass": {"softmax_lse.npy --keys 64 --gate 1..4 --gate-max 8", program.Passed, []string{
			"PASS (if logits are normal with mean 0): the standard deviation of the logits of head 0 is 2.07 ± 0.04, and",
			"the largest logit of head 0 is between 3.14 and 7.30, and must be at most 8."}},
		"fail": {"softmax_lse.npy --keys 64 --gate 0.2..1", program.Failed,
			[]string{"FAIL (if", "must lie in [0.2, 1]"}},
		"fail max": {"softmax_lse.npy --keys 64 --gate-max 3", program.Failed,
			[]string{"FAIL: the largest logit of head 0"}},
		"undecided": {"softmax_lse.npy --keys 64 --gate-max 5", program.Undecided,
			[]string{"the limit is between them"}},
		"zero logits and saved keys": {"lse.npy lse_keys.npy --gate 0.2..3", program.Undecided, []string{
			"its mean log-sum-exp is not above ln n"}},
		"one text": {"lse.npy lse_keys.npy", program.Passed, []string{"errors are those for its own keys"}},
		"JUnit": {"softmax_lse.npy --keys 64 --gate-max 8 --junit -", program.Passed,
			[]string{`failures="0"`, "max_logit of head 0"}},
		"wrong keys":  {"softmax_lse.npy --keys 2e6", program.Passed, []string{"or n is wrong"}},
		"causal rows": {"softmax_lse.npy --keys 64 --causal", program.Passed, []string{"each row one key more"}},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := runIn(t, dir, strings.Fields("inspect "+c.args)...)
			if code != c.code || stderr != "" {
				t.Errorf("exit code %d, want %d: %s%s", code, c.code, stdout, stderr)
			}
			for _, want := range c.want {
				if !strings.Contains(joinWords(stdout), want) {
					t.Errorf("the output lacks %q: %s", want, stdout)
				}
			}
		})
	}
	stdout, _, code := runIn(t, dir,
		strings.Fields("inspect softmax_lse.npy --keys 64 --gate-max 5 --json --summary s.md")...)
	var report struct {
		Heads []struct {
			LogitSD struct{ Value, SE, Lo, Hi float64 } `json:"logit_sd"`
			Lo      float64                             `json:"max_logit_lo"`
		} `json:"by_head"`
		Judgement struct{ Verdict string }
	}
	simtest.Must(t, json.Unmarshal([]byte(stdout), &report))
	if h := report.Heads; code != program.Undecided || report.Judgement.Verdict != "undecided" || len(h) != 1 ||
		!(h[0].LogitSD.SE > 0 && h[0].LogitSD.Lo < h[0].LogitSD.Hi) || math.Abs(h[0].Lo-3.14) > 0.01 {
		t.Errorf("exit code %d, JSON %s", code, stdout)
	}
	if summary := string(readFile(t, dir+"/s.md")); !strings.HasPrefix(summary, "### mcsim: undecided\n") {
		t.Errorf("the summary is %q", summary)
	}
}
