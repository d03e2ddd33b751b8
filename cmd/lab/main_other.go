//go:build !js

package main

import (
	"bufio"
	"fmt"
	"os"
)

// main answers each line of the standard input, so that the program can be used without the page:
//
//	echo '{"d_k": "64", "keys": "8", "row": "3"}' | go run ./cmd/lab
func main() {
	var l lab
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(l.respond(lines.Text()))
	}
}
