package proc

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// All returns the numbers of all processes.
func All() []int { return numbers("/proc") }

// Threads returns the numbers of the threads of a process; none if it is gone.
func Threads(pid int) []int { return numbers(fmt.Sprintf("/proc/%d/task", pid)) }

// Fields are those of a file stat behind the name, which may contain anything: field 3 is the first.
type Fields [][]byte

// Of returns the fields of a process; none if it is gone.
func Of(pid int) Fields { return fields(fmt.Sprintf("/proc/%d/stat", pid)) }

// OfThread returns the fields of a thread of a process; none if it is gone.
func OfThread(pid, thread int) Fields {
	return fields(fmt.Sprintf("/proc/%d/task/%d/stat", pid, thread))
}

func fields(file string) Fields {
	text, _ := os.ReadFile(file)
	return bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
}

// Text returns a field by its number in proc(5), "" if there is none.
func (f Fields) Text(number int) string {
	const first = 3
	if number-first >= len(f) {
		return ""
	}
	return string(f[number-first])
}

// Int returns a field that is a number, 0 if there is none.
func (f Fields) Int(number int) int {
	n, _ := strconv.Atoi(f.Text(number))
	return n
}

// Numbers of fields.
const (
	State = 3
	// Parent is the number of the parent.
	Parent = 4
	// UserTime is the first of four times in ticks: user and system, of the process and of its ended children.
	UserTime = 14
	// EnvironmentStart is an address, 0 while the process gets the memory of another program.
	EnvironmentStart = 50
)

// numbers returns the names in a directory that are numbers.
func numbers(directory string) (list []int) {
	d, err := os.Open(directory)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			list = append(list, n)
		}
	}
	return list
}
