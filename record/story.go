package record

import "caveau/game"

// A Story is how a game went, in numbers. It is for a game that is over: it is made of the whole truth.
type Story struct {
	// Turns are the deal and the end of every turn, in order; the last is the end.
	Turns []Turn `json:"turns"`
	// Did is, by seat, how often it did what, by the verbs of events, and Had how often that was done to it.
	Did []map[string]int `json:"did"`
	Had []map[string]int `json:"had"`
}

// A Turn is how far everyone had come (game.State.Standing) after so many moves.
type Turn struct {
	Ply      int   `json:"ply"`
	Standing []int `json:"standing"`
}

// Story plays the record and tells how it went. It ends with a *MoveError at a move that is not allowed.
func (r Record) Story(start game.State) (Story, error) {
	s := Story{}
	for range r.Players {
		s.Did, s.Had = append(s.Did, map[string]int{}), append(s.Had, map[string]int{})
	}
	err := r.Replay(start, func(ply int, state game.State, events []game.Event) error {
		turns := ply == 0 || ply == len(r.Moves)
		for _, e := range events {
			turns = turns || e.Verb == "turn"
			s.count(e)
		}
		if turns {
			sc := state.Standing()
			s.Turns = append(s.Turns, Turn{ply, sc[:len(r.Players)]})
		}
		return nil
	})
	return s, err
}

func (s *Story) count(e game.Event) {
	if int(e.Seat) < len(s.Did) {
		s.Did[e.Seat][e.Verb]++
	}
	if int(e.To) < len(s.Had) {
		s.Had[e.To][e.Verb]++
	}
}
