package owner

import (
	"net/http"
	"strconv"
	"time"

	"caveau/lobby"
	"caveau/reply"
	"caveau/wire"
)

// longest is how long a body may be, in bytes.
const longest = 4096

// house is what is going on, in a few numbers, and who may come in.
func (o *Owner) house(w http.ResponseWriter, r *http.Request) {
	type invitation struct {
		Invitation
		Link string `json:"link"`
		Good bool   `json:"good"`
	}
	type told struct {
		Version     string         `json:"version"`
		Opened      time.Time      `json:"opened"`
		Tables      map[string]int `json:"tables"`
		Sockets     int            `json:"sockets"`
		Invited     bool           `json:"invited"`
		Forced      bool           `json:"forced"` // it was started so, and cannot be switched here
		Invitations []invitation   `json:"invitations"`
	}
	h := told{
		Version: o.Version, Opened: o.opened.UTC(), Tables: o.Lobby.Counts().Tables, Sockets: o.Sockets(),
		Invited: o.Invited(), Forced: o.Config.Invited, Invitations: []invitation{},
	}
	o.mu.Lock()
	for _, i := range o.noted.Invitations {
		h.Invitations = append(h.Invitations, invitation{i, o.link(i), i.good(o.Now())})
	}
	o.mu.Unlock()
	reply.JSON(w, http.StatusOK, h)
}

// setHouse says whether the house is for invited people only.
func (o *Owner) setHouse(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Invited bool `json:"invited"`
	}
	if !reply.Read(w, r, longest, &body) {
		return
	}
	o.mu.Lock()
	err := o.note(r.Context(), func(n *noted) error {
		n.Invited = body.Invited
		return nil
	})
	o.mu.Unlock()
	o.done(w, err, "say who may come", "invited", body.Invited)
}

// A sight is a table as the page shows it.
type sight struct {
	wire.Card
	Guests []string `json:"guests"` // the ids of those on its seats
	HostID string   `json:"hostId"`
	Awake  bool     `json:"awake"`
	Code   string   `json:"code,omitempty"` // why nothing is known of it
}

func sightOf(s lobby.Sight) sight {
	told := sight{Card: s.Card, Guests: s.Guests, HostID: s.HostID, Awake: s.Awake}
	if s.Err != nil {
		told.Code = wire.AsError(s.Err).Code
	}
	return told
}

// pageOf is how many tables a page has.
const pageOf = 20

// tables is a page of those that are not over.
func (o *Owner) tables(w http.ResponseWriter, r *http.Request) {
	from, err := strconv.Atoi(r.FormValue("from"))
	if err != nil && r.FormValue("from") != "" {
		reply.Refuse(w, http.StatusBadRequest, "bad_request", "from: a number")
		return
	}
	page, all, err := o.Lobby.Unfinished(r.Context(), from, pageOf)
	if err != nil {
		reply.Error(w, err)
		return
	}
	told := []sight{}
	for _, s := range page {
		told = append(told, sightOf(s))
	}
	reply.JSON(w, http.StatusOK, map[string]any{"all": all, "tables": told})
}

// table is one of them, or one that is over.
func (o *Owner) table(w http.ResponseWriter, r *http.Request) {
	s := o.Lobby.Sight(r.Context(), tableOf(r))
	if s.Err != nil {
		reply.Error(w, s.Err)
		return
	}
	reply.JSON(w, http.StatusOK, sightOf(s))
}

func tableOf(r *http.Request) wire.ID { return wire.ID(r.PathValue("table")) }

func (o *Owner) closeTable(w http.ResponseWriter, r *http.Request) {
	o.done(w, o.Lobby.CloseTable(r.Context(), tableOf(r)), "close a table", "table", tableOf(r))
}

func (o *Owner) unlist(w http.ResponseWriter, r *http.Request) {
	o.done(w, o.Lobby.Unlist(r.Context(), tableOf(r)), "take a table from the list", "table", tableOf(r))
}

func (o *Owner) outOfTable(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Guest string `json:"guest"`
	}
	if reply.Read(w, r, longest, &body) {
		o.done(w, o.Lobby.TurnOut(r.Context(), tableOf(r), body.Guest), "turn a guest out of a table", "table", tableOf(r), "guest", body.Guest)
	}
}

// nameless takes a guest's name away, everywhere; he is asked for another when he comes. Nobody asks a program: without a name it is none.
func (o *Owner) nameless(w http.ResponseWriter, r *http.Request) {
	guest := r.PathValue("guest")
	if len(guest) > wire.LongestWord {
		reply.Refuse(w, http.StatusBadRequest, "bad_request", "no guest is called by that")
		return
	}
	err := o.Lobby.Rename(r.Context(), wire.Guest{ID: guest})
	if err == nil && wire.IsProgram(guest) {
		err = o.TurnOut(r.Context(), guest)
	}
	o.done(w, err, "take a name away", "guest", guest)
}

// outOfHouse makes a stranger of a guest.
func (o *Owner) outOfHouse(w http.ResponseWriter, r *http.Request) {
	guest := r.PathValue("guest")
	o.done(w, o.TurnOut(r.Context(), guest), "turn a guest out of the house", "guest", guest)
}
