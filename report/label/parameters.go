package label

import "mcsim/sim/names"

// Parameters are the symbols of parameters whose values are numbers.
var Parameters = map[string]string{
	names.ParamExponent: "p", names.ParamDimension: "d_k", names.ParamKeys: "n", names.ParamSigma: `\sigma`,
	names.ParamTemperature: "T",
}
