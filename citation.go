// Package mcsim holds what the module says about itself.
package mcsim

import _ "embed"

// Citation is CITATION.cff: how to cite the program and what it makes.
//
//go:embed CITATION.cff
var Citation []byte
