package cgfx

// text is a name and its offset in the file. b is nil when there is no name, or when
// the names exceed their limit (wire.NameTotal).
type text struct {
	at    uint64
	b     []byte
	known bool // there is a name, even if b is nil
}

func (t text) end() uint64 { return t.at + uint64(len(t.b)) }

// name reads the name at the target of a pointer with this value at off.
func (r *reader) name(off uint64, value uint32) text {
	target, ok := r.pointer(off, value)
	if !ok {
		return text{}
	}
	name, ok := r.total.Read(r.named, target)
	return text{target, name, ok}
}

// readableName is the expected value of the rules about unreadable names.
const readableName = "pointer to a NUL-terminated name"
