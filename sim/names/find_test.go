package names_test

import (
	"slices"
	"strings"
	"testing"

	"mcsim/sim/names"
)

// TestFind checks the groups of the entries that Find returns.
func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		names.ParamRule:                       "parameter",
		names.ExperimentVariance:              "experiment term",
		names.ParamKeys:                       "parameter step",
		"softmax":                             "experiment value term",
		names.Quantile(names.MaxWeight, 0.05): "quantity",
		names.ConcentratedShare:               "quantity",
		"jacobian":                            "term",
		"Standard-Error":                      "gate term",
		"d-k":                                 "parameter",
		"student-t(10)":                       "distribution",
		"control: zero mean":                  "gate",
		"jacobian norm by quadrature":         "gate",
		"nothing by quadrature":               "",
		"control: control: zero mean":         "",
		names.ControlTwins:                    "control",
		"power(1/2)":                          "rule",
		"score variance":                      "quantity",
		"nothing":                             "",
		"":                                    "",
		"student-t(10":                        "",
		names.Quantile(names.LogitSD, 0.5) + "_q05": "",
	} {
		var found []string
		for _, e := range names.Find(name) {
			found = append(found, e.Group)
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("Find(%q) returns entries of the groups %q, want %q", name, got, want)
		}
	}
}

func TestFindSimilar(t *testing.T) {
	valid := []string{names.RelativeTrace, names.ParamInterval, names.MaxWeight, names.AlignedWeight}
	for name, want := range map[string][]string{
		"max_wieght": {names.MaxWeight},
		"weight":     {names.MaxWeight, names.AlignedWeight},
		"relative":   {names.RelativeTrace},
		"0123456789": nil,
	} {
		if found := names.FindSimilar(name, valid); !slices.Equal(found, want) {
			t.Errorf("FindSimilar(%q) is %q, want %q", name, found, want)
		}
	}
}
