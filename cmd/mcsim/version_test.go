package main

import (
	"strings"
	"testing"

	module "mcsim"

	"mcsim/cmd/mcsim/program"
)

// TestVersionIsCited checks that CITATION.cff has the version of the program.
func TestVersionIsCited(t *testing.T) {
	if !strings.Contains(string(module.Citation), "\nversion: "+program.Version+"\n") {
		t.Errorf("CITATION.cff does not cite version %s", program.Version)
	}
}
