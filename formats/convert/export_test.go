package convert

import "errors"

// DroppedFields reports fields with one reason.
func (r *Report) DroppedFields(path string, v, kept any, why string) {
	r.droppedFields(path, v, kept, reasons{"": why})
}

// StopReading makes the read function of every format fail, and returns a function that
// undoes it.
func StopReading() (undo func()) {
	formats := [...]*format{cgfxFormat, csdrFormat, dvojFormat, shbinFormat, zpshFormat}
	working := [len(formats)]format{}
	for i, f := range formats {
		working[i] = *f
		f.read = func(Model, *Report) ([]program, error) { return nil, errors.New("not read") }
	}
	return func() {
		for i, f := range formats {
			*f = working[i]
		}
	}
}
