package main

import (
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// completions are the files of the completions, by what the program calls their shells.
var completions = map[string]string{
	"bash": "completions/mcsim.bash", "zsh": "completions/_mcsim", "fish": "completions/mcsim.fish", "powershell": "completions/mcsim.ps1",
}

// guides are the pages for man and the completions of shells, which go with the program of
// every system. They are made of what a program for this machine prints, with the date of the
// commit.
func guides(work string, s state) (files []content, err error) {
	host := target{runtime.GOOS, runtime.GOARCH}
	program := filepath.Join(work, "host-"+host.program())
	if err := host.build(program, s.version); err != nil {
		return nil, err
	}
	if files, err = pages(program, s); err != nil {
		return nil, err
	}
	for _, shell := range slices.Sorted(maps.Keys(completions)) {
		text, err := output(program, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, content{name: completions[shell], text: []byte(strings.TrimSpace(text) + "\n")})
	}
	return files, nil
}
