package main

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcsim/cmd/mcsim/program"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/templates"
)

// expectedAnswer is a number in the answer to an exercise, and the estimate that the command of
// the exercise must print.
type expectedAnswer struct {
	text      string // words of the answer that have the number
	quantity  string
	params    result.Params
	theory    float64
	tolerance float64 // largest difference between theory and the number, which the answer may round
}

// exerciseAnswers maps each command on the page of questions to the numbers in the answer. The
// weights 0.875 and 0.360 are rounded from 0.874933 and 0.359992, which are integrals over the
// length of the query that were computed with another program.
var exerciseAnswers = map[string][]expectedAnswer{
	"mcsim probe --distribution rademacher --d-k 16 --samples 1e6 --seed 7": {
		{"with mean 0", names.ScoreMean, nil, 0, 0},
		{"and variance 16", names.ScoreVariance, nil, 16, 0},
	},
	"mcsim probe --d-k 512 --exponent 1/3 --exponent 2/3 --samples 1e6 --seed 7": {
		{"which is 8.", names.ScaledVariance, result.Params{names.ParamExponent: 1.0 / 3}, 8, 1e-12},
		{"1/8", names.ScaledVariance, result.Params{names.ParamExponent: 2.0 / 3}, 0.125, 1e-12},
	},
	`mcsim probe --d-k 64 --rule "temperature(4)" --rule "temperature(16)" --samples 1e6 --seed 7`: {
		{"the variances, 4", names.LogitVariance, result.Params{names.ParamRule: "temperature(4)"}, 4, 0},
		{"and 0.25", names.LogitVariance, result.Params{names.ParamRule: "temperature(16)"}, 0.25, 0},
	},
	"mcsim probe --d-k 64 --exponent 0 --exponent 1/2 --keys 8 --samples 1e6 --seed 7": {
		{"0.875 without", names.MaxWeight, result.Params{names.ParamExponent: 0.0}, 0.875, 0.0005},
		{"0.360 if scores are divided", names.MaxWeight, result.Params{names.ParamExponent: 0.5}, 0.360, 0.0005},
	},
	"mcsim probe --rho 0.5 --d-k 64 --samples 1e6 --seed 7": {
		{"the score has mean 32", names.ScoreMean, result.Params{names.ParamRho: 0.5}, 32, 0},
	},
	"mcsim probe --rho 0.5 --d-k 256 --samples 1e6 --seed 7": {
		{"the mean is 128", names.ScoreMean, result.Params{names.ParamRho: 0.5}, 128, 0},
	},
	"mcsim advise --init he-normal --d-model 768 --d-k 64 --seed 7": {
		{"standard deviation is 2", names.LogitSD, nil, 2, 1e-12},
	},
}

// commandLine matches a line of a listing that runs mcsim.
var commandLine = regexp.MustCompile(`(?m)^mcsim .*$`)

// TestExercisesAreAnsweredByTheirCommands runs every command of an exercise. Its theory must equal
// the number in the answer, and its estimate must be within five standard errors of theory.
func TestExercisesAreAnsweredByTheirCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("draws")
	}
	page, err := templates.Files.ReadFile("quiz.md")
	if err != nil {
		t.Fatal(err)
	}
	_, exercises, _ := strings.Cut(string(page), "{#exercises}")
	isSeen := map[string]bool{}
	for _, exercise := range strings.Split(exercises, "### Exercise ")[1:] {
		_, answer, _ := strings.Cut(exercise, "<summary>Answer to exercise")
		commands := commandLine.FindAllString(answer, -1)
		if len(commands) == 0 {
			t.Errorf("no command answers the exercise %.60q", exercise)
		}
		for _, command := range commands {
			isSeen[command] = true
			checkAnswers(t, command, answer)
		}
	}
	if len(isSeen) != len(exerciseAnswers) {
		t.Errorf("the exercises have %d commands, want the %d of exerciseAnswers", len(isSeen), len(exerciseAnswers))
	}
	if n := len(commandLine.FindAllString(string(page), -1)); n != len(isSeen) {
		t.Errorf("the page has %d commands, but only %d are in answers to exercises", n, len(isSeen))
	}
}

// checkAnswers runs a command and compares the numbers of its answer with its estimates.
func checkAnswers(t *testing.T, command, answer string) {
	t.Helper()
	expected := exerciseAnswers[command]
	if len(expected) == 0 {
		t.Errorf("exerciseAnswers lacks the command %s", command)
		return
	}
	args := shellWords.FindAllString(command, -1)[2:]
	for i := range args {
		args[i] = strings.Trim(args[i], `"`)
	}
	stdout, stderr, code := runHere(slices.Concat(strings.Fields(command)[1:2], args, []string{"--json"})...)
	if code != program.Passed {
		t.Fatalf("%s: the exit code is %d, want %d: %s", command, code, program.Passed, stderr)
	}
	var doc struct {
		Estimates []result.Estimate
		Predicted result.Number   `json:"logit_sd_predicted"` // of advise, which prints no estimates
		Measured  result.Estimate `json:"logit_sd"`
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Estimates) == 0 {
		doc.Measured.Quantity, doc.Measured.Theory = names.LogitSD, doc.Predicted
		doc.Estimates = []result.Estimate{doc.Measured}
	}
	for _, a := range expected {
		if !strings.Contains(answer, a.text) || !strings.Contains(answer, "`"+a.quantity) {
			t.Errorf("the answer with %s lacks %q or the quantity %s", command, a.text, a.quantity)
		}
		found := slices.DeleteFunc(slices.Clone(doc.Estimates), func(e result.Estimate) bool {
			return e.Quantity != a.quantity || !a.params.Within(e.Params)
		})
		if len(found) != 1 {
			t.Errorf("%s: got %d estimates of %s with %v, want 1", command, len(found), a.quantity, a.params)
			continue
		}
		e := found[0]
		if math.Abs(float64(e.Theory)-a.theory) > a.tolerance {
			t.Errorf("%s: %s is %v in theory, but the answer says %q", command, a.quantity, e.Theory, a.text)
		}
		if distance := math.Abs(float64(e.Value - e.Theory)); !e.SE.Present() || distance > 5*float64(e.SE) {
			t.Errorf("%s: the estimate of %s is %v ± %v, want one within 5 standard errors of %v", command,
				a.quantity, e.Value, e.SE, e.Theory)
		}
	}
}
