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

// answered is a number that the answer to an exercise states, and the row in which its
// command finds it.
type answered struct {
	says     string // as the answer has it
	quantity string
	at       result.Params
	value    float64
	within   float64 // how far theory may be from a number that the answer rounds
}

// exerciseAnswers are those of all commands on the page of questions. The weights are
// rounded from integrals over the length of the query, 0.874933 and 0.359992, which were
// computed apart from this program.
var exerciseAnswers = map[string][]answered{
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
		{"0.875 unscaled", names.MaxWeight, result.Params{names.ParamExponent: 0.0}, 0.875, 0.0005},
		{"0.360 divided", names.MaxWeight, result.Params{names.ParamExponent: 0.5}, 0.360, 0.0005},
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

// commandLine is a line of a listing that calls mcsim.
var commandLine = regexp.MustCompile(`(?m)^mcsim .*$`)

// Every command of an exercise finds the number that its answer states: theory is that
// number, and what is drawn is no more than five standard errors from it.
func TestExercisesAreAnsweredByTheirCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("draws")
	}
	page, err := templates.Files.ReadFile("quiz.md")
	if err != nil {
		t.Fatal(err)
	}
	_, exercises, _ := strings.Cut(string(page), "{#exercises}")
	seen := map[string]bool{}
	for _, exercise := range strings.Split(exercises, "### Exercise ")[1:] {
		_, answer, _ := strings.Cut(exercise, "<summary>Answer to exercise")
		commands := commandLine.FindAllString(answer, -1)
		if len(commands) == 0 {
			t.Errorf("no command answers the exercise %.60q", exercise)
		}
		for _, command := range commands {
			seen[command] = true
			holdAnswers(t, command, answer)
		}
	}
	if len(seen) != len(exerciseAnswers) || len(commandLine.FindAllString(string(page), -1)) != len(seen) {
		t.Errorf("%d commands stand in the exercises, of %d whose answers are known", len(seen), len(exerciseAnswers))
	}
}

// holdAnswers runs a command and holds the numbers of its answer against its rows.
func holdAnswers(t *testing.T, command, answer string) {
	t.Helper()
	known := exerciseAnswers[command]
	if len(known) == 0 {
		t.Errorf("nobody holds the answer that this finds: %s", command)
		return
	}
	args := shellWords.FindAllString(command, -1)[2:]
	for i := range args {
		args[i] = strings.Trim(args[i], `"`)
	}
	out, errs, code := runHere(slices.Concat(strings.Fields(command)[1:2], args, []string{"--json"})...)
	if code != program.Passed {
		t.Fatalf("%s ends with %d: %s", command, code, errs)
	}
	var doc struct {
		Estimates []result.Estimate
		Predicted result.Number   `json:"logit_sd_predicted"` // of advice, which has no rows
		Measured  result.Estimate `json:"logit_sd"`
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Estimates) == 0 {
		doc.Measured.Quantity, doc.Measured.Theory = names.LogitSD, doc.Predicted
		doc.Estimates = []result.Estimate{doc.Measured}
	}
	for _, a := range known {
		if !strings.Contains(answer, a.says) || !strings.Contains(answer, "`"+a.quantity) {
			t.Errorf("the answer to %s does not say %q of %s", command, a.says, a.quantity)
		}
		found := slices.DeleteFunc(slices.Clone(doc.Estimates), func(e result.Estimate) bool {
			return e.Quantity != a.quantity || !a.at.Within(e.Params)
		})
		if len(found) != 1 {
			t.Errorf("%s: %d rows of %s at %v", command, len(found), a.quantity, a.at)
			continue
		}
		e := found[0]
		if math.Abs(float64(e.Theory)-a.value) > a.within {
			t.Errorf("%s: %s is %v by theory, and the answer says %q", command, a.quantity, e.Theory, a.says)
		}
		if off := math.Abs(float64(e.Value - e.Theory)); !e.SE.Present() || off > 5*float64(e.SE) {
			t.Errorf("%s: %s was drawn as %v ± %v", command, a.quantity, e.Value, e.SE)
		}
	}
}
