package zpsh

// XXH32 is xxh32, for its test.
var XXH32 = xxh32
