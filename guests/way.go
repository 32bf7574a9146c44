package guests

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"net/http"
	"regexp"
	"sync"
	"time"

	"caveau/limit"
	"caveau/qrcode"
	"caveau/wire"
)

// A way leads a guest to another device of his: whoever brings its code is he there too, once, and soon. It is a session's, and gives no more
// than one; it ends with that session, and where the guest makes another way.
type way struct {
	sum   []byte // of its code, which is told once, and not kept
	badge Badge  // of whoever made it
	until time.Time
}

// ways are those that were not taken yet, by guest. They are lost when the house is closed.
type ways struct {
	mu  sync.Mutex
	all map[string]way
}

// wayTime is how long a way is good; a guest makes so many.
const wayTime = 5 * time.Minute

var waysMade = limit.Rate{AtOnce: 6, PerSecond: 1.0 / 20}

var (
	tableName   = regexp.MustCompile(`^[a-z0-9]{0,64}$`)
	errTooMany  = wire.Refuse(wire.CodeTooMany, "you have made many links lately: try again in a minute")
	errBadTable = wire.Refuse("bad_request", "that is no table's name")
)

// MakeWay makes a way for a guest, to a table. The code stands behind the # of its link, which no browser sends to anybody.
func (b *Book) MakeWay(w http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	var body struct {
		Table string `json:"table"`
	}
	switch {
	case badge.ID == "":
		return nil, errNobody
	case readForm(r, &body) != nil || !tableName.MatchString(body.Table):
		return nil, errBadTable
	case !b.made.Allow(badge.ID, b.Now()):
		return nil, errTooMany
	}
	code, err := b.NewID()
	if err != nil {
		return nil, err
	}
	link := b.Origin.String() + "/move#" + code + "." + body.Table
	drawn, err := qrcode.SVG(link)
	if err != nil {
		return nil, err
	}
	b.ways.keep(way{sumOf(code), badge, b.Now().Add(wayTime)}, b.Now())
	b.Note("a link to another device was made", "guest", badge.ID)
	return map[string]any{"link": link, "qr": drawn, "seconds": int(wayTime / time.Second)}, nil
}

// TakeWay says to whom a way leads; and where that is wanted for sure, the browser is his from now on, and the session that it had ends. Only
// then is the way taken: programs that look at links ahead do not use it up.
func (b *Book) TakeWay(w http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	var body struct {
		Code string `json:"code"`
		Sure bool   `json:"sure"`
	}
	if readForm(r, &body) != nil {
		return nil, ErrWrong
	}
	b.making.Lock() // whoever is forgotten meanwhile has no session any more
	defer b.making.Unlock()
	to, there := b.ways.find(body.Code, false, b.Now())
	if !there {
		return nil, ErrWrong
	}
	err := b.Check(r.Context(), to.badge)
	if errors.Is(err, ErrEnded) {
		return nil, ErrWrong
	}
	var guest wire.Guest
	if err == nil {
		guest, err = b.Called(r.Context(), to.badge.Guest)
	}
	switch {
	case err != nil:
		return nil, err
	case !body.Sure:
		return map[string]string{"name": guest.Name}, nil
	}
	to.badge.Guest = guest
	if err := b.change(w, r, badge, to.badge); err != nil {
		return nil, err
	}
	b.ways.find(body.Code, true, b.Now()) // not before: who could not be let in tries again
	return guest, nil
}

// change makes of whoever a browser was another guest, in a session of its own beside one that he has.
func (b *Book) change(w http.ResponseWriter, r *http.Request, was, is Badge) error {
	b.Note("a link to another device was taken", "guest", is.ID)
	if hmac.Equal([]byte(was.ID), []byte(is.ID)) {
		return nil // he is there already
	}
	if was.ID != "" {
		if err := b.End(r.Context(), was); err != nil {
			return err
		}
	}
	return b.begin(w, r, Badge{Guest: is.Guest, Round: is.Round}) // if all of his were ended meanwhile, so is this
}

func sumOf(code string) []byte {
	sum := sha256.Sum256([]byte(code))
	return sum[:]
}

// keep keeps a way, in the place of the one before, and forgets those whose time is over.
func (w *ways) keep(one way, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for guest, old := range w.all {
		if now.After(old.until) {
			delete(w.all, guest)
		}
	}
	w.all[one.badge.ID] = one
}

// find is the way with that code, which is taken from then on.
func (w *ways) find(code string, take bool, now time.Time) (one way, there bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	sum := sumOf(code)
	for guest, one := range w.all {
		if hmac.Equal(one.sum, sum) && !now.After(one.until) {
			if take {
				delete(w.all, guest)
			}
			return one, true
		}
	}
	return one, false
}
