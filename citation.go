// Package mcsim embeds CITATION.cff, for the version and the citation of the program.
package mcsim

import _ "embed"

// Citation is the text of CITATION.cff.
//
//go:embed CITATION.cff
var Citation []byte
