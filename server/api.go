package server

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"caveau/game"
	"caveau/guests"
	"caveau/lobby"
	"caveau/names"
	"caveau/reply"
	"caveau/terms"
	"caveau/wire"
)

// How long a message or a body may be, in bytes. A set-up may have a record in it: those of whole games have ten to forty
// thousand bytes.
const (
	longest        = 4096
	longestSetup   = 128 << 10
	longestPasskey = 16 << 10
)

func (s *Server) hello(w http.ResponseWriter, r *http.Request) {
	type hello struct {
		Protocol int         `json:"protocol"`
		Version  string      `json:"version"`
		Guest    *wire.Guest `json:"guest"`
		Games    []game.Info `json:"games"`
		Bots     []string    `json:"bots"`
		Origin   string      `json:"origin"`
		Passkeys string      `json:"passkeys"`
		Keep     int         `json:"keepPlayed"`
		Push     string      `json:"push,omitempty"`      // the house's key for push services
		Barred   bool        `json:"uninvited,omitempty"` // a stranger needs an invitation
	}
	h := hello{
		Protocol: Protocol, Version: s.Version, Games: s.Lobby.Games(), Bots: []string{}, Origin: s.Origin, Passkeys: s.guests.PasskeysFor(),
		Keep: int(s.Lobby.KeepsPlayed() / time.Second), Barred: s.bars(visited(r)),
		Push: base64.RawURLEncoding.EncodeToString(s.Push),
	}
	if v := visited(r); v.Guest.ID != "" {
		g, err := s.Lobby.Called(r.Context(), v.Guest)
		if err != nil {
			reply.Error(w, err)
			return
		}
		if err := s.goOn(w, r, v.badge, g.Name); err != nil {
			s.fail(w, r, "a guest cannot be remembered", err)
			return
		}
		if g.Name != "" { // else it was taken from him, and he is asked for another
			h.Guest = &g
		}
	}
	for _, info := range h.Games {
		for _, bot := range s.Lobby.Bots(info.Name) {
			if !slices.Contains(h.Bots, bot) {
				h.Bots = append(h.Bots, bot)
			}
		}
	}
	reply.JSON(w, http.StatusOK, h)
}

func (s *Server) guest(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Name       string `json:"name"`
		Invitation string `json:"invitation"`
		Try        string `json:"try"`
	}
	if !reply.Read(w, r, longest, &body) {
		return
	}
	v := visited(r)
	g, ok := v.Guest, false
	if g.Name, ok = names.Clean(body.Name); !ok {
		reply.Refuse(w, http.StatusBadRequest, "bad_name", "name: 1 to 24 letters that can be seen, and no bot's name")
		return
	}
	if g.ID == "" {
		if !s.may(aGuest, v.Visitor) {
			s.tooMany(w, r, v.Visitor, "many have come from your address lately: try again in a minute", "60")
			return
		}
		id, err := s.guests.IDOf(r.Context(), body.Try)
		if err != nil {
			s.unkept(w, r, "a guest cannot be named", err)
			return
		}
		g.ID = id
	}
	tried := false
	err := s.comeIn(r.Context(), v, body.Invitation, g.ID, func() error {
		was, err := s.guests.Called(r.Context(), wire.Guest{ID: g.ID})
		tried = err != nil || was.Name == "" // else he may have come in by another try, and has not heard so
		return s.guests.Name(r.Context(), v.badge, g)
	})
	if err != nil {
		if tried && v.Guest.ID == "" { // and did not come in after all: nobody could ever have it erased
			s.Lobby.Rename(context.WithoutCancel(r.Context()), wire.Guest{ID: g.ID})
		}
		s.unmade(aGuest, v.Visitor, err)
		reply.Error(w, err)
		return
	}
	if v.Guest.ID == "" {
		err = s.guests.Begin(w, r, g)
	} else {
		err = s.guests.GoOn(w, r, v.badge, g.Name)
	}
	if err != nil {
		s.fail(w, r, "a guest cannot be remembered", err)
		return
	}
	reply.JSON(w, http.StatusOK, g)
}

// forms answers with what becomes of a guest's word.
func (s *Server) forms(do func(http.ResponseWriter, *http.Request, guests.Badge) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := visited(r)
		r.Body = http.MaxBytesReader(w, r.Body, longestPasskey)
		body, err := do(w, r, v.badge)
		var refused *wire.Error
		switch {
		case errors.Is(err, guests.ErrWrong):
			s.attempt(wrongPasskey, s.from(r))
			reply.Refuse(w, http.StatusBadRequest, "wrong_passkey", err.Error())
		case errors.As(err, &refused):
			reply.Error(w, err)
		case err != nil:
			s.unkept(w, r, "what is known of a guest cannot be read or written", err)
		case body == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			reply.JSON(w, http.StatusOK, body)
		}
	}
}

// end ends the guest's session, or with others all of his but this one. Whoever is nobody stays it.
func (s *Server) end(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Others bool   `json:"others"`
		Try    string `json:"try"`
	}
	if !reply.Read(w, r, longest, &body) {
		return
	}
	v, err := visited(r), error(nil)
	switch {
	case v.badge.ID == "":
		s.guests.Drop(w, r)
	case body.Others:
		err = s.guests.EndOthers(w, r, v.badge, body.Try)
	default:
		if err = s.guests.End(r.Context(), v.badge); err == nil {
			s.guests.Drop(w, r)
		}
	}
	if errors.Is(err, guests.ErrEnded) { // meanwhile, perhaps by way of another node
		s.guests.Drop(w, r)
	} else if err != nil {
		s.unkept(w, r, "the end of a session cannot be noted", err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// erase takes a guest's name from wherever it stands, and whatever else is known of him. Whoever is nobody stays it.
func (s *Server) erase(w http.ResponseWriter, r *http.Request) {
	if g := visitor(r).Guest; g.ID != "" {
		if err := s.guests.Erase(r.Context(), g.ID); err != nil {
			s.unkept(w, r, "a guest cannot be forgotten", err)
			return
		}
	}
	s.guests.Drop(w, r)
	w.WriteHeader(http.StatusNoContent)
}

// unkept is for what cannot be read or written.
func (s *Server) unkept(w http.ResponseWriter, r *http.Request, what string, err error) {
	if r.Context().Err() == nil && !errors.Is(err, context.Canceled) { // else whoever asked has gone
		s.Slog.Error(what, "err", err)
	}
	reply.Error(w, err)
}

// fail is for what is nobody's fault outside: the reason stays in the server's log.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, what string, err error) {
	if r.Context().Err() == nil { // else whoever asked has gone
		s.Slog.Error(what, "err", err)
	}
	reply.Refuse(w, http.StatusInternalServerError, "busy", "something went wrong here, try again")
}

func (s *Server) tables(w http.ResponseWriter, _ *http.Request) {
	reply.JSON(w, http.StatusOK, s.Lobby.Cards())
}

// brings reads what a guest brings for a table; false if it is refused.
func brings(w http.ResponseWriter, r *http.Request, what any) (v lobby.Visitor, ok bool) {
	if v = visitor(r); v.Guest.ID == "" {
		reply.Refuse(w, http.StatusUnauthorized, wire.CodeNoGuest, "say who you are first: POST /api/guest")
		return v, false
	}
	return v, reply.Read(w, r, longestSetup, what)
}

// keepGame keeps a game that was played on a device.
func (s *Server) keepGame(w http.ResponseWriter, r *http.Request) {
	var record json.RawMessage
	v, ok := brings(w, r, &record)
	if ok && !s.may(anImport, v) {
		s.tooMany(w, r, v, "you have brought many games lately: try again in a minute", "60")
	} else if ok {
		id, err := s.guests.Keep(r.Context(), visited(r).badge, v.Guest, record)
		s.unmade(anImport, v, err)
		reply.With(w, map[string]string{"table": string(id), "link": s.link(id)}, err)
	}
}

func (s *Server) makeTable(w http.ResponseWriter, r *http.Request) {
	var setup terms.Setup
	v, ok := brings(w, r, &setup)
	if !ok {
		return
	}
	what := aTable
	if setup.Record != nil {
		what = anImport
	}
	if !s.may(what, v) {
		s.tooMany(w, r, v, "you have made many tables lately: try again in a minute", "60")
		return
	}
	id, err := s.Lobby.Make(r.Context(), v, setup)
	if err != nil {
		s.unmade(what, v, err)
		reply.Error(w, err)
		return
	}
	reply.JSON(w, http.StatusCreated, map[string]string{"table": string(id), "link": s.link(id)})
}

// link is where a table is found by those who are given it: at the public address, whatever the request was sent to.
func (s *Server) link(id wire.ID) string { return s.Origin + "/t/" + string(id) }

func (s *Server) card(w http.ResponseWriter, r *http.Request) {
	card, err := s.Lobby.Card(r.Context(), wire.ID(r.PathValue("table")))
	reply.With(w, card, err)
}

func (s *Server) record(w http.ResponseWriter, r *http.Request) {
	rec, err := s.Lobby.Record(r.Context(), wire.ID(r.PathValue("table")))
	if err != nil {
		reply.Error(w, err)
		return
	}
	w.Header().Set("Content-Disposition", `attachment; filename="caveau-`+r.PathValue("table")+`.json"`)
	reply.JSON(w, http.StatusOK, rec)
}

func (s *Server) story(w http.ResponseWriter, r *http.Request) {
	story, err := s.Lobby.Story(r.Context(), wire.ID(r.PathValue("table")))
	reply.With(w, story, err)
}

func (s *Server) advice(w http.ResponseWriter, r *http.Request) {
	move, err := s.Lobby.Advice(r.Context(), wire.ID(r.PathValue("table")), visitor(r).Guest.ID)
	reply.With(w, map[string]string{"move": move}, err)
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") }

func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if err := s.Ready(r.Context()); err != nil {
		if r.Context().Err() == nil { // else whoever asked has gone
			s.Slog.Error("the log cannot be reached", "err", err)
		}
		http.Error(w, "unready", http.StatusServiceUnavailable) // why is no stranger's affair
		return
	}
	io.WriteString(w, "ok\n")
}
