package kernel

// Names returns the kernels that this processor can run, the fastest first.
func Names() []string {
	var names []string
	for _, k := range implementations {
		if k.available {
			names = append(names, k.name)
		}
	}
	return names
}
