package cgfx

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// plainFields lists fields outside the model with their values in the canonical layout.
// Rest yields a field with another value. Where commands are stored does not matter: Rest
// yields their pointer only if their count is 0.
var plainFields = map[string]uint32{
	"header.revision":    usualRevision,
	"header.blocks":      1,
	"dict.nodes[0].name": 0, "dict.nodes[0].object": 0,

	".revision":       objectRevision,
	".metadata.count": 0, ".metadata.pointer": 0,
	".commands_a.count": 0, ".commands_a.pointer": 0,
	".commands_b.count": 0, ".commands_b.pointer": 0,
}

// Rest yields path and bytes of each part of the file outside the model. First, in the
// order of the file: unusual fields (plainFields), other kinds of content, types of
// references, commands, and gaps and unknown bytes that are not zero. Then names: of
// references, and of shaders whose object has another name than the DICT. A file without
// a Layout has no such part. Names are left out when the writer refuses the file, because
// an object was given another DVLB.
func (f *File) Rest() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if f.Layout == nil {
			return
		}
		b, err := f.AppendUnchecked(nil)
		if err != nil {
			return
		}
		for _, region := range f.Regions() {
			if isRest(region, b) && !yield(region.Path, b[region.Off:][:region.Len]) {
				return
			}
		}
		r := walk(b, diag.Strict(ruleSet))
		if r.Failed() {
			return
		}
		names := r.names
		for i, at := range r.objects {
			name, key := r.keys[i], r.keys[i]
			if r.U32(at) == shaderType {
				if name, names = names[0], names[1:]; name.at == key.at || bytes.Equal(name.b, key.b) {
					continue
				}
			}
			if !yield(shaderPrefix(i)+"name", name.b) {
				return
			}
		}
	}
}

// isRest reports whether Rest yields a region of the file b.
func isRest(region diag.Region, b []byte) bool {
	part, field := b[region.Off:][:region.Len], region.Path
	if strings.HasPrefix(field, "shaders[") {
		_, field, _ = strings.Cut(field, "]")
	}
	switch {
	case strings.HasPrefix(field, ".dvlb."), strings.HasPrefix(field, ".programs"):
		return false
	case region.Kind != diag.FieldRegion:
		return !wire.Zero(part)
	case field == ".type":
		return le.Uint32(part) != shaderType
	case strings.HasPrefix(field, "data.kinds[") && !strings.HasPrefix(field, shaderKindPath):
		return !wire.Zero(part)
	case strings.HasPrefix(field, ".commands_") && strings.HasSuffix(field, ".pointer") &&
		le.Uint32(b[region.Off-4:]) != 0:
		return false
	}
	plain, known := plainFields[field]
	return known && le.Uint32(part) != plain
}

// shaderKindPath is the prefix of paths in the shaders' pair.
var shaderKindPath = fmt.Sprintf("data.kinds[%d].", shaderKind)
