//go:build long

package site

// hostileStep: every hostile name is tried.
const hostileStep = 1
