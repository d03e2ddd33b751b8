package label

import "mcsim/sim/names"

// Parameters maps the names of numeric parameters to their symbols in mathematics.
var Parameters = map[string]string{
	names.ParamExponent: "p", names.ParamDimension: "d_k", names.ParamKeys: "n", names.ParamSigma: `\sigma`,
	names.ParamTemperature: "T",
}
