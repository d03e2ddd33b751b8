package main

import (
	"strings"
	"testing"

	module "mcsim"
	"mcsim/cmd/mcsim/folder"
)

// Who cites names the version that the program names itself.
func TestVersionIsCited(t *testing.T) {
	if !strings.Contains(string(module.Citation), "\nversion: "+folder.Version+"\n") {
		t.Errorf("CITATION.cff does not cite version %s", folder.Version)
	}
}
