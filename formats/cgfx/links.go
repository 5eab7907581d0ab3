package cgfx

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// Links returns the sizes, counts and pointers of any bytes, valid or not, and the links of the DVLBs
// inside, as far as the reader comes.
func Links(b []byte) []wire.Link {
	r := walk(b, diag.Collect(ruleSet))
	m := linker{wire.Links{View: wire.LE(b)}, r}
	for _, s := range r.spans {
		switch s.Kind {
		case headerSpan:
			m.count(headerRecord.Offset("size"), 0, 1)
		case dataSpan:
			m.count(s.Off+dataRecord.Offset("size"), s.Off, 1)
			for k := range r.pairs {
				m.pointer(r.pairAt(k)+pairRecord.Offset("dict"), 0)
			}
		case dictSpan:
			nodes := s.Off + dictSize
			m.count(s.Off+dictRecord.Offset("size"), s.Off, 1)
			m.count(s.Off+dictRecord.Offset("count"), nodes+nodeSize, nodeSize) // without the root
			m.count(r.pairAt(shaderKind)+pairRecord.Offset("count"), nodes+nodeSize, nodeSize)
			for at := nodes; at < s.End(); at += nodeSize {
				m.name(at + nodeRecord.Offset("name"))
				m.pointer(at+nodeRecord.Offset("object"), objectSize)
			}
		case objectSpan:
			m.name(s.Off + nameOffset)
			for _, x := range [...]struct {
				count, pointer string
				size           uint64
			}{
				{"metadata.count", "metadata.pointer", 4}, {"dvlb.size", "dvlb.pointer", 1},
				{"commands_a.count", "commands_a.pointer", 4}, {"commands_b.count", "commands_b.pointer", 4},
				{"programs.count", "programs.pointer", uint64(pointerRecord.Bytes)},
			} {
				count := s.Off + objectRecord.Offset(x.count)
				if target, ok := m.pointer(s.Off+objectRecord.Offset(x.pointer), x.size*uint64(m.U32(count))); ok {
					m.count(count, target, x.size)
				}
			}
		case arraySpan:
			for at := s.Off; at < s.End(); at += uint64(pointerRecord.Bytes) {
				m.pointer(at, programSize)
			}
		case dvlbSpan:
			for _, x := range shbin.Links(m.Bytes(s.Off, s.Len)) {
				x.At, x.Base = x.At+s.Off, x.Base+s.Off
				m.Add(x)
			}
		}
	}
	return m.List
}

// linker collects the links of a file.
type linker struct {
	wire.Links
	reader *reader
}

func (m *linker) count(at, base, unit uint64) {
	m.Add(wire.Link{Kind: wire.Count, At: at, Base: base, Unit: unit})
}

// pointer adds a pointer to n bytes; ok is false for null.
func (m *linker) pointer(at, n uint64) (target uint64, ok bool) {
	if target, ok = m.reader.pointer(at, m.U32(at)); ok {
		m.Add(wire.Link{Kind: wire.Offset, At: at, Base: at, Len: n, Null: true})
	}
	return target, ok
}

// name adds a pointer to a NUL-terminated name.
func (m *linker) name(at uint64) {
	target, _ := m.reader.pointer(at, m.U32(at))
	m.pointer(at, uint64(bytes.IndexByte(m.Bytes(target, m.Size()), 0)+1))
}
