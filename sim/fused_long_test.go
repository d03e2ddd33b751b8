//go:build long

package sim_test

func init() { fusingArchitectures = append(fusingArchitectures, "ppc64le", "s390x", "riscv64") }
