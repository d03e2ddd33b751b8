package lesson

import (
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// exercises are the measured numbers of the exercises, each at the point that its task
// names; one that was not drawn there has none. What the commands of the answers print is
// held against the numbers of the answers by a test of cmd/mcsim.
type exercises struct {
	Signs            string // the variance at d_k = 16 of components that are 1 or −1
	Third, TwoThirds string // what these powers leave at d_k = 512
	Aligned          string // the mean score of an aligned key
	Raw, Root        string // the largest weight, without the scale and with it
	He               string // the standard deviation of a logit
	Doubt            exerciseDoubts
}

// exerciseDoubts say what keeps these numbers from bearing the answers out.
type exerciseDoubts struct{ Signs, Powers, Aligned, Softmax, He string }

// exercisesOf finds the numbers of the exercises.
func exercisesOf(s *view.Source) exercises {
	signs, powers, aligned, softmax := facts{src: s}, facts{src: s}, facts{src: s}, facts{src: s}
	power := func(p float64) string {
		return powers.say(scaled(s).With(names.ParamDimension, 512.0).With(names.ParamLaw, names.LawNormal).With(names.ParamExponent, p))
	}
	weight := func(p float64) string {
		return softmax.say(rows.Softmax(names.MaxWeight).Within(result.Params{
			names.ParamLaw: names.LawNormal, names.ParamDimension: 64.0, names.ParamKeys: 8.0, names.ParamExponent: p}))
	}
	he := initialisedAt(s, names.InitHeNormal, result.Params{names.ParamModel: 768.0, names.ParamDimension: 64.0})
	v := exercises{
		Signs: signs.say(variance(s, 16).With(names.ParamLaw, names.LawRademacher)),
		Third: power(1.0 / 3), TwoThirds: power(2.0 / 3),
		Aligned: aligned.say(rows.Alignment(names.ScoreMean).Within(result.Params{
			names.ParamLaw: names.LawNormal, names.ParamDimension: 64.0, names.ParamRho: 0.5})),
		Raw: weight(0), Root: weight(0.5), He: he.SD,
	}
	v.Doubt = exerciseDoubts{signs.doubt(), powers.doubt(), aligned.doubt(), softmax.doubt(), he.Doubt}
	return v
}
