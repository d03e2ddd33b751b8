// Command lab is the program of the page lab.html: it draws a row of a query and its keys
// as the experiments draw them, to the bit, and says what softmax makes of it. It is
// compiled to WebAssembly (GOOS=js GOARCH=wasm), into a folder that package
// [mcsim/report/site] puts into the page; `make` does that before it builds mcsim.
//
// Elsewhere it answers requests by lines of standard input.
package main
