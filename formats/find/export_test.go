package find

// Work returns how many bytes the functions of formats read.
func (r *Result) Work() uint64 { return r.work }

// MostWork returns the limit of Work for a number of bytes.
func MostWork(n int) uint64 { return workFactor*uint64(n) + minWork }
