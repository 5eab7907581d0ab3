package main

import (
	"encoding/binary"
	"fmt"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
)

var le = binary.LittleEndian

// model is a file of any format.
type model interface {
	AppendBinary(b []byte) ([]byte, error)
	Regions() []diag.Region
}

// set has values of fields, by path.
type set map[string]uint64

// draft writes a model and sets fields of the file. The places of fields are those of the model.
func draft(f model, order binary.ByteOrder, fields set) *gen.Draft {
	d := gen.NewDraft(must(f.AppendBinary(nil)), order, f.Regions())
	for path, v := range fields {
		d.Set(path, v)
	}
	return d
}

// twoErrors is a file with two errors, in fields of a model. It expects the second one, which does not depend on
// the first: a check continues.
type twoErrors struct {
	name, comment, rule string
	model               model
	field               string // of the second error
	fields              set
	also                []string
}

func (k *kit) twoErrors(order binary.ByteOrder, list []twoErrors) {
	for _, x := range list {
		d := draft(x.model, order, x.fields)
		k.more([]corpus.Vector{{Name: "behind-" + x.name, Rule: x.rule, Offset: d.Off(x.field), Comment: x.comment,
			Data: d.Bytes, Also: x.also}})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("a seed cannot be written: %v", err))
	}
	return v
}
