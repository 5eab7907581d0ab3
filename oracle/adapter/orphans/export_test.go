package orphans

// Resume makes Start work again after EndAll.
func Resume() {
	children.Lock()
	defer children.Unlock()
	children.ended = false
}
