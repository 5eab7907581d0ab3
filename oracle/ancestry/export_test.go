package ancestry

// SetMaxPlaces changes the limit of a graph and returns a function that restores it.
func SetMaxPlaces(n int) (restore func()) {
	before := maxPlaces
	maxPlaces = n
	return func() { maxPlaces = before }
}

// SetMaxRounds changes the number of rounds with trials and returns a function that restores it.
func SetMaxRounds(n int) (restore func()) {
	before := maxRounds
	maxRounds = n
	return func() { maxRounds = before }
}
