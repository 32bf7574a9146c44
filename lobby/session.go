package lobby

import (
	"sync"
	"time"

	"caveau/match"
	"caveau/wire"
)

// enoughMessages is how many may wait for a client that reads slowly. Then he is cut off: that is kinder to everybody than
// to wait for him, and he catches up when he comes back.
const enoughMessages = 128

// patience is how long a command may wait for its table.
const patience = 10 * time.Second

// A Session is one connection of one guest. What he is told waits until it is taken; he never makes a table wait.
type Session struct {
	page   match.Client
	lobby  *Lobby
	more   func()           // there is something to be taken
	tables map[wire.ID]bool // that he watches; belongs to whoever calls Do and Close

	mu     sync.Mutex // guards what follows
	out    []Message
	taking bool // more was called, and Take has not found nothing yet
	cut    bool
}

// A Visitor is who asks for something.
type Visitor = match.Visitor

// Connect makes a session of the visitor; one without a name may only watch. More is called, and must not block, when there is something
// to be taken and nobody takes: then somebody calls Take until it answers with nothing. Close the session when the connection is gone.
func (l *Lobby) Connect(who Visitor, more func()) *Session {
	s := &Session{lobby: l, more: more}
	s.page = l.pages.Open(who, s)
	return s
}

// A Message is a text of JSON for a client. The next one is told in one go with it where More says so.
type Message struct {
	Text []byte
	More bool
}

// Take is what the client is to be told, in order. With none it is called again after more was. Cut: he has read
// too slowly, has missed something, and is to be disconnected. The messages are put into room, if there is enough.
func (s *Session) Take(room []Message) (messages []Message, cut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	messages, s.out = s.out, room[:0]
	s.taking = len(messages) > 0
	return messages, s.cut
}

// Who is whose connection it is.
func (s *Session) Who() Visitor { return s.page.Visitor }

// Tell says something to the client, and more in one go with it; it never blocks.
func (s *Session) Tell(message []byte, more ...[]byte) {
	s.mu.Lock()
	switch {
	case s.cut: // after a gap, nothing more
	case len(s.out) >= enoughMessages:
		s.cut = true
	default:
		s.out = append(s.out, Message{message, len(more) > 0})
		for i, m := range more {
			s.out = append(s.out, Message{m, i < len(more)-1})
		}
	}
	s.wake()
}

// Cut has the client disconnected.
func (s *Session) Cut() {
	s.mu.Lock()
	s.cut = true
	s.wake()
}

// wake unlocks, and has the messages taken if nobody does.
func (s *Session) wake() {
	idle := !s.taking
	s.taking = true
	s.mu.Unlock()
	if idle {
		s.more()
	}
}

// Refuse tells the client that what it called re was not done; with no re, something about the connection itself.
func (s *Session) Refuse(re string, err error) {
	if re != "" {
		s.Tell(wire.Refused(re, err))
		return
	}
	s.Tell(wire.Message(struct {
		Error *wire.Error `json:"error"`
	}{wire.AsError(err)}))
}

// Do does what the client says. It is told the answer; commands about one table are done in the order in which they are said.
func (s *Session) Do(cmd wire.Command) {
	if err := cmd.Fit(s.lobby.lease.Speaks()); err != nil {
		s.Refuse(cmd.ID, err)
		return
	}
	switch cmd.Do {
	case "ping":
		s.Tell(wire.Done(cmd.ID, 0))
	case "lobby":
		s.Tell(wire.Done(cmd.ID, 0))
		s.lobby.watch(s)
	case "unlobby":
		s.lobby.unwatch(s)
		s.Tell(wire.Done(cmd.ID, 0))
	case "unwatch":
		s.leave(cmd.Table)
		s.Tell(wire.Done(cmd.ID, 0))
	default:
		s.hand(cmd)
	}
}

// mostWatched is how many tables one client may watch.
const mostWatched = 64

// hand hands a command to its table.
func (s *Session) hand(cmd wire.Command) {
	watch := cmd.Do == "watch"
	if watch && !s.tables[cmd.Table] && s.watched() >= mostWatched {
		s.Refuse(cmd.ID, wire.Refuse(wire.CodeBusy, "you watch %d tables already", mostWatched))
		return
	}
	if watch {
		s.remember(cmd.Table)
	}
	if err := s.lobby.say(match.Said{Client: s.page, Command: cmd}, cmd.Table); err != nil {
		s.Refuse(cmd.ID, err)
	}
}

func (s *Session) remember(id wire.ID) {
	if s.tables == nil {
		s.tables = make(map[wire.ID]bool)
	}
	s.tables[id] = true
}

// watched is how many tables he watches; those that could not be watched, or have gone, do not count.
func (s *Session) watched() int {
	for id := range s.tables {
		if s.lobby.awake(id) == nil && !s.lobby.pages.Reaches(id) {
			delete(s.tables, id)
		}
	}
	return len(s.tables)
}

// leave is the end of a watch.
func (s *Session) leave(id wire.ID) {
	if !s.tables[id] {
		return
	}
	delete(s.tables, id)
	gone := match.Gone{Client: s.page}
	if r := s.lobby.awake(id); r != nil {
		if taken, _ := r.Post(gone); taken {
			return
		}
	}
	s.lobby.pages.Reach(id, gone) // another node may have it
}

// Close takes the client from every table and from the lobby.
func (s *Session) Close() {
	s.lobby.unwatch(s)
	for id := range s.tables {
		s.leave(id)
	}
	s.lobby.pages.Close(s.page)
}

func (l *Lobby) watch(s *Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list()
	l.looking[s] = string(list)
	s.Tell(list)
}

func (l *Lobby) unwatch(s *Session) {
	l.mu.Lock()
	delete(l.looking, s)
	l.mu.Unlock()
}
