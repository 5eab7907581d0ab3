package pica

import "slices"

// Job returns a job without vertices that runs a shader with its constants; its
// inputs are of format Float32. An emulator's dump can have more than MaxDescriptors
// operand descriptors; no word reaches them, and the job leaves them out.
func (s *Shader) Job(p Profile) Job {
	job := Job{Program: s.Program, Entry: s.Entry, Stage: s.Stage, OutMask: s.OutMask, Profile: p,
		Floats: slices.Clone(s.Floats), InputFormat: Float32}
	job.Descriptors = job.Descriptors[:min(len(job.Descriptors), MaxDescriptors)]
	if job.OutMask == 0 {
		job.OutMask = 0xFFFF
	}
	for k, v := range s.Ints {
		job.Ints[k] = v
	}
	for k, v := range s.Bools {
		if v {
			job.Bools |= 1 << k
		}
	}
	return job
}
