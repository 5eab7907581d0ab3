//go:build js && wasm

// Command wasm serves this module: it is the engine of the page, compiled for a worker of a browser.
//
// It adds one function to the global object and stays:
//
//	picaproof(method, params, bytes) -> {result, bytes} or {error}
//
// params is JSON, bytes an Uint8Array or undefined. result is JSON, and error is {message, rule, offset}.
package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/picaproof/picaproof/web/engine"
)

func main() {
	var e engine.Engine
	js.Global().Set("picaproof", js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer := map[string]any{}
		if len(args) < 2 {
			answer["error"] = failure(engine.Error{Message: "picaproof: want a method, parameters and bytes"})
			return answer
		}
		var data []byte
		if len(args) > 2 && args[2].Truthy() {
			data = make([]byte, args[2].Length())
			js.CopyBytesToGo(data, args[2])
		}
		result, bytes, err := e.Call(args[0].String(), []byte(args[1].String()), data)
		if err != nil {
			answer["error"] = failure(engine.ErrorOf(err))
			return answer
		}
		answer["result"] = string(result)
		if bytes != nil {
			to := js.Global().Get("Uint8Array").New(len(bytes))
			js.CopyBytesToJS(to, bytes)
			answer["bytes"] = to
		}
		return answer
	}))
	select {}
}

// failure returns an error as an object.
func failure(e engine.Error) any {
	b, _ := json.Marshal(e) // strings and numbers
	return js.Global().Get("JSON").Call("parse", string(b))
}
