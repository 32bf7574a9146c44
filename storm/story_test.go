package storm

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Step is one thing that happens: somebody does something. What N means depends on what it is; whoever acts chooses with it among
// what he could do just then. So any step makes sense after any other, and a story of which some are left out is a story.
type Step struct {
	Who string
	Do  string
	N   int
}

func (s Step) String() string { return fmt.Sprintf("%s %s %d", s.Who, s.Do, s.N) }

// A Story is a seed, from which all chance in the house follows, and what happens from the evening's beginning to its end.
type Story struct {
	Seed  uint64
	Disk  bool // the log is the product's own, on a disk whose power can be cut; else one in memory
	Real  bool // the games of the house are played; else a toy, which is quicker
	Old   bool // there is a log of an earlier version, with tables that are played at
	Steps []Step
}

// String is the story as text, a step a line.
func (s Story) String() string {
	var t strings.Builder
	fmt.Fprintf(&t, "seed %d disk %t real %t old %t\n", s.Seed, s.Disk, s.Real, s.Old)
	for _, step := range s.Steps {
		fmt.Fprintln(&t, step)
	}
	return t.String()
}

// ParseStory reads what String writes; empty lines and what follows a # count for nothing.
func ParseStory(text string) (s Story, err error) {
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if strings.HasPrefix(line, "seed ") {
			_, err = fmt.Sscanf(line, "seed %d disk %t real %t old %t", &s.Seed, &s.Disk, &s.Real, &s.Old)
		} else {
			var step Step
			_, err = fmt.Sscanf(line, "%s %s %d", &step.Who, &step.Do, &step.N)
			s.Steps = append(s.Steps, step)
		}
		if err != nil {
			return s, fmt.Errorf("line %d, %q: %w", i+1, line, err)
		}
	}
	return s, nil
}

// names are the people, each of whom may have two pages open.
var names = []string{"ana", "ben", "eve", "dan"}

const pages = 2

// A habit is what happens how often.
type habit struct {
	often int
	who   string // "" for a person
	do    string
}

// weather is what can happen, and how often it does. The first lines are an evening as usual.
var weather = []habit{
	{360, "", "act"}, {40, "", "play"}, {16, "", "propose"}, {14, "", "answer"}, {60, "", "dial"}, {200, "time", "wait"},
	{12, "", "hang"}, {10, "", "cut"}, {6, "", "stall"}, {10, "", "read"},
	{16, "", "again"}, {10, "", "hold"}, {10, "", "late"}, {12, "", "forge"}, {8, "", "claim"}, {10, "", "rename"}, {6, "", "knock"}, {4, "", "flood"}, {3, "", "chat"}, {7, "", "sip"}, {6, "", "go"}, {1, "owner", "close"}, {2, "owner", "unlist"}, {2, "owner", "out"}, {3, "owner", "invite"},
	{24, "", "seal"}, {12, "", "quarrel"}, {8, "", "brink"}, {6, "", "jam"}, {10, "", "tool"}, {10, "", "mine"}, {6, "", "keep"}, {4, "", "away"}, {8, "", "ask"}, {6, "", "notice"}, {4, "", "greed"}, {6, "people", "call"}, {8, "people", "still"}, {14, "", "phrase"}, {8, "", "way"}, {10, "", "passkey"}, {6, "people", "go"}, {4, "people", "sleep"}, {6, "people", "meet"}, {16, "people", "vote"}, {5, "people", "crowd"}, {4, "people", "spill"},
	{14, "log", "fail"}, {14, "log", "lose"}, {8, "log", "blind"}, {8, "log", "slow"}, {8, "log", "quick"}, {3, "log", "full"}, {6, "log", "empty"}, {6, "log", "unread"}, {10, "log", "other"}, {5, "log", "ail"},
	{6, "house", "kill"}, {3, "house", "restart"}, {3, "house", "stumble"}, {4, "house", "power"}, {6, "house", "pause"}, {2, "house", "newer"}, {2, "house", "late"}, {2, "house", "sick"},
	{4, "time", "set"}, {3, "time", "drift"},
}

// Generate makes a story of so many steps.
func Generate(seed uint64, steps int) Story {
	s := Story{Seed: seed, Disk: seed%4 == 3, Real: seed%8 == 5, Old: seed%8 != 5 && seed%5 == 2}
	return s.of(steps, habit{})
}

// GenerateOf makes one in which a thing happens often that seldom does.
func GenerateOf(h habit, seed uint64, steps int) Story {
	return Story{Seed: seed, Disk: seed%4 == 3}.of(steps, h)
}

// of is the story with so many steps, one of five of which is that habit.
func (s Story) of(steps int, often habit) Story {
	rng := rand.New(rand.NewPCG(s.Seed, 0x5704))
	sum := 0
	calm := map[string]bool{} // so that not every evening has everything in it
	for _, h := range weather {
		if sum += h.often; h.often < 50 {
			calm[h.do] = rng.IntN(3) == 0
		}
	}
	for len(s.Steps) < steps {
		n := rng.IntN(sum)
		for _, h := range weather {
			if n -= h.often; n >= 0 {
				continue
			}
			if often.do != "" && len(s.Steps)%5 == 4 {
				h = often
			}
			who := h.who
			if who == "" {
				who = names[rng.IntN(len(names))]
				if rng.IntN(4) == 0 {
					who += "2"
				}
			}
			if step := (Step{who, h.do, rng.IntN(1 << 20)}); h == often || !calm[h.do] {
				s.Steps = append(s.Steps, step)
			}
			break
		}
	}
	return s
}
