package convert

// DroppedFields reports fields with one reason.
func (r *Report) DroppedFields(path string, v, kept any, why string) {
	r.droppedFields(path, v, kept, reasons{"": why})
}
