package report

// Learnt is what a run has found out about a core beside its model and its causes. A later run that only judges needs
// it.
type Learnt struct {
	Cases  uint64        `json:"cases"`            // jobs of each generated suite
	Proved []string      `json:"proved,omitempty"` // names of the proved causes, in the order in which they were found
	Causes []LearntCause `json:"causes"`
	// Fatal are shapes of control flow that kill or hang the core as its model predicts.
	Fatal []LearntFatal `json:"fatal,omitempty"`
	// Habits says of messages, and Families of messages without their numbers, whether they also come with right answers.
	Habits   map[string]bool `json:"habits,omitempty"`
	Families map[string]bool `json:"families,omitempty"`
	// Refused lists the numbers of the opcodes that the core refuses, by stage, Deadly those of which it dies.
	Refused [2][]int `json:"refused"`
	Deadly  []int    `json:"deadly,omitempty"`
	// Unreported names the registers for which the core always answers 0.
	Unreported []string `json:"unreported,omitempty"`
}

// LearntCause is a cause that is not proved, by its name, with the programs that may show it. Opcodes are numbers.
type LearntCause struct {
	Name     string `json:"name"`
	Executed []int  `json:"executed,omitempty"` // opcodes, all of which are executed
	Present  []int  `json:"present,omitempty"`  // opcodes, of which the program has one
	Vertices bool   `json:"vertices,omitempty"` // it has several vertices
	// Steps, Words, Temporaries and Target are limits of the core; Targeted are the opcodes that lead to Target.
	Steps       int   `json:"steps,omitempty"`
	Words       int   `json:"words,omitempty"`
	Temporaries int   `json:"temporaries,omitempty"`
	Target      int   `json:"target,omitempty"`
	Targeted    []int `json:"targeted,omitempty"`
	Avoided     bool  `json:"avoided,omitempty"` // programs behind the core set avoid it
	Skipped     bool  `json:"skipped,omitempty"` // programs that may show it are not asked for
	Kills       bool  `json:"kills,omitempty"`   // few programs that show it are asked for: the core dies of each
}

// LearntFatal has the name of the cause of some shapes.
type LearntFatal struct {
	Name   string   `json:"name"`
	Shapes []string `json:"shapes"`
}
