//go:build !(linux || darwin || freebsd || netbsd)

// Package limits asks, before a command begins, whether the system leaves the program what
// the Go runtime takes without asking.
package limits

// Check asks for nothing where no such limits are known.
func Check() error { return nil }
