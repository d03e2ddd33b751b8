// Package all lists the experiments.
package experiment

// Table lists the experiments in the order of their estimates.
var Table = []*Experiment{Variance, Exponents, Softmax, Freezing, Mismatch, Alignment, Rules, Depth, Init, Health, Controls, Calibration}

// Lookup returns the experiment of that name.
func Lookup(name string) (*Experiment, error) {
	names := make([]string, len(Table))
	for i, e := range Table {
		if e.Name == name {
			return e, nil
		}
		names[i] = e.Name
	}
	return nil, UnknownError{"experiment", name, names}
}
