package source

// Nihstro is the dialect of nihstro-assemble.
var Nihstro = Dialect{Name: "nihstro"}
