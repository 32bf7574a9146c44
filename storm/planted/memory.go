package planted

import (
	"encoding/json"
	"os"
	"sync"
)

// A Memory is a file that says what has found each fault. Whoever looks there first is spared most of what does not; where it does not find it any more all
// else is looked at.
type Memory struct {
	mu   sync.Mutex
	file string
	by   map[string]string
}

// Recall reads a memory. What cannot be read is as if there were none.
func Recall(file string) *Memory {
	m := &Memory{file: file, by: map[string]string{}}
	if text, err := os.ReadFile(file); err == nil {
		json.Unmarshal(text, &m.by)
	}
	return m
}

// FoundBy is what has found a fault, or nothing.
func (m *Memory) FoundBy(fault string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.by[fault]
}

// Note remembers what has found a fault.
func (m *Memory) Note(fault, by string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.by[fault] = by
}

// Write writes the memory down, for those faults that there are.
func (m *Memory) Write(faults []Fault) error {
	kept := map[string]string{}
	for _, f := range faults {
		if by := m.FoundBy(f.Name); by != "" {
			kept[f.Name] = by
		}
	}
	text, err := json.MarshalIndent(kept, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(m.file, append(text, '\n'), 0o644)
}
