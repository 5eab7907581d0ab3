// Package engine serves this module: it answers the questions of the page, one method call after the other.
//
// A page in a browser runs the engine in a worker. It gets answers as JSON and never the whole of a large thing: no
// result is longer than [MaxResult]. A method with a long answer takes a window, and its result says where the answer
// goes on. Bytes of files leave the engine through the method bytes alone.
//
// [Methods] lists the methods. web/page/src/bridge.ts has their types for TypeScript.
package engine

//go:generate go test -run ^TestBridge$ -update .
