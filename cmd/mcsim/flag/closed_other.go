//go:build !linux

package flag

// closed cannot be told here.
func closed() bool { return false }
