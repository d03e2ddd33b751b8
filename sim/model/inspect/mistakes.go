package inspect

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/scalefit"
)

// diagnose returns the likeliest mistake for a scaled variance that fails.
func (s Summary) diagnose() string {
	if outliers := s.describeOutlierHeads(); outliers != "" {
		return outliers
	}
	vq, vk, d := float64(s.Overall.QueryVariance), float64(s.Overall.KeyVariance), float64(s.Dimension)
	// ratioToIndependent is 1 if components are independent.
	ratioToIndependent := float64(s.Overall.VarianceOverDK.Value) / float64(vq*vk)
	const (
		tolerance         = 0.25 // of ratios to their expected values, for wide errors
		varianceTolerance = 0.1  // of the product of the variances of components
		scaleTolerance    = 0.01 // of the squared scale, which is known exactly
	)
	switch scaled := float64(s.Scale*s.Scale) * d; { // 1 if the scale is 1/√d_k
	case s.Overall.Variance.Value <= maxRounding*s.Overall.Mean*s.Overall.Mean || vq == 0 || vk == 0:
		return "queries or keys that are constant: all the same vector, or 0"
	case math.Abs(ratioToIndependent-1) > tolerance &&
		math.Abs(float64(s.Overall.VarianceOverDK.Value/s.Overall.independentRatio)-1) < tolerance:
		return "queries and keys have a mean other than 0, such as a bias gives"
	case math.Abs(ratioToIndependent-1) > tolerance:
		directions := "avoid each other's directions"
		if ratioToIndependent > 1 {
			directions = "share directions"
		}
		return fmt.Sprintf("components are not independent: Var(q·k) is %.3g times what their variances give, so "+
			"queries and keys %s", ratioToIndependent, directions)
	case math.Abs(float64(scaled)-1) > scaleTolerance && math.Abs(float64(vq*vk)-1) < varianceTolerance:
		return fmt.Sprintf("the scale: components have variance 1, and the scale is %.4g times 1/√d_k",
			math.Sqrt(scaled))
	case s.length > 0: // the lengths, and so the variances, do not depend on the initialisation
		return fmt.Sprintf("the scale: queries and keys of length %.4g give q·k a variance of %.3g, of which a scale "+
			"of %.4g, not %.4g, makes 1", s.length, s.Overall.Variance.Value, s.Overall.UnitScale.Value, s.Scale)
	case math.Abs(float64(vq*vk*d)-1) < tolerance:
		return "queries or keys are divided by √d_k already: say --scale none, if the model does not divide again"
	}
	return fmt.Sprintf("the initialisation: components of queries have variance %.3g and those of keys %.3g, and "+
		"their product should be 1%s", vq, vk, scalefit.DescribeInitialisation(vq, vk))
}

// describeOutlierHeads names the heads whose logits have a standard deviation far above or below
// the median of all heads. It returns "" if there are none or too many.
func (s Summary) describeOutlierHeads() string {
	if len(s.Heads) < 3 {
		return ""
	}
	var sds []float64
	for _, h := range s.Heads {
		sds = append(sds, float64(h.LogitSD.Value))
	}
	median := elementary.Median(slices.Sorted(slices.Values(sds)))
	var outliers []string
	for i, sd := range sds {
		const minRatio = 2
		if math.Max(sd/median, median/max(sd, tiny)) > minRatio {
			outliers = append(outliers,
				fmt.Sprintf("%s, whose logits have a standard deviation of %.3g", s.Heads[i].Title(), sd))
		}
	}
	maxOutliers := min(2, len(sds)/3)
	if len(outliers) == 0 || len(outliers) > maxOutliers {
		return ""
	}
	return fmt.Sprintf("%s; the median head has %.3g", strings.Join(outliers, " and "), median)
}
