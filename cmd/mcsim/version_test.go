package main

import (
	"strings"
	"testing"

	module "mcsim"

	"mcsim/cmd/mcsim/program"
)

// Who cites names the version that the program names itself.
func TestVersionIsCited(t *testing.T) {
	if !strings.Contains(string(module.Citation), "\nversion: "+program.Version+"\n") {
		t.Errorf("CITATION.cff does not cite version %s", program.Version)
	}
}
