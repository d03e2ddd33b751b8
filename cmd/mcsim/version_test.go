package main

import (
	"mcsim/cmd/mcsim/program"
	"strings"
	"testing"

	module "mcsim"
)

// Who cites names the version that the program names itself.
func TestVersionIsCited(t *testing.T) {
	if !strings.Contains(string(module.Citation), "\nversion: "+program.Version+"\n") {
		t.Errorf("CITATION.cff does not cite version %s", program.Version)
	}
}
