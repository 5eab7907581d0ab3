package gen

// Sparse returns a stream in which one word in a number of words comes from a source and the others are zero. Zero is
// the simplest choice everywhere, so that a model drawn from it has a few features.
func Sparse(src Source, one int) Source { return &sparse{src: src, one: uint64(one)} }

type sparse struct {
	src Source
	one uint64
}

// Uint64 returns the next word.
func (s *sparse) Uint64() uint64 {
	if v := s.src.Uint64(); v%s.one == 0 {
		return s.src.Uint64()
	}
	return 0
}
