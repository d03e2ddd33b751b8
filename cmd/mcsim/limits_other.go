//go:build !(linux || darwin || freebsd || netbsd)

package main

// checkLimits checks nothing, since such limits are not known on this system.
func checkLimits() error { return nil }
