//go:build !long

package site

// hostileStep: every second hostile name is tried, and all of them in make test-long.
const hostileStep = 2
