package experiment

import (
	"mcsim/sim/elementary"
	"mcsim/sim/result"
)

// Level is the confidence level of every interval.
const Level = 0.95

// Interval gives an estimate its confidence interval.
func Interval(r result.Estimate) result.Estimate {
	if !r.SE.Present() {
		return r
	}
	half := result.Number(LevelZ * float64(r.SE))
	r.Lo, r.Hi, r.Level = r.Value-half, r.Value+half, Level
	return r
}

// MaxErrorOfError is the relative error of a standard error above which no
// interval is given: it would not cover what it says.
const MaxErrorOfError = 0.10

// LevelZ is the normal quantile that belongs to Level.
var LevelZ = elementary.Quantile(0.5 + Level/2)
