//go:build long

package browser

// With a hostileStep of 2, the tests use every second hostile name. The command make test-long
// uses all.
const hostileStep = 1
