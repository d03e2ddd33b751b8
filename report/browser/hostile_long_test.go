//go:build long

package browser

// hostileStep is the distance of the tested sites of hostile names. With 1, all sites are tested.
const hostileStep = 1
