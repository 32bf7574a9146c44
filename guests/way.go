package guests

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"net/http"
	"regexp"
	"time"

	"caveau/limit"
	"caveau/qrcode"
	"caveau/wire"
)

// wayTime is how long a way is good; a guest makes so many.
const wayTime = 5 * time.Minute

var (
	waysMade    = limit.Rate{AtOnce: 6, PerSecond: 1.0 / 20}
	tableName   = regexp.MustCompile(`^[a-z0-9]{0,64}$`)
	errTooMany  = wire.Refuse(wire.CodeTooMany, "you have made many links lately: try again in a minute")
	errBadTable = wire.Refuse("bad_request", "that is no table's name")
)

// Ways counts who has made how many.
func (b *Book) Ways() limit.Count { return b.made.Count(b.Now) }

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
	if err := b.Keeper.KeepWay(r.Context(), Way{sumOf(code), badge, b.Now().Add(wayTime)}, b.Now()); err != nil {
		return nil, nobodyIf(err)
	}
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
	to, there, err := b.Keeper.Way(r.Context(), sumOf(body.Code), b.Now())
	if err == nil && there {
		err = b.Check(r.Context(), to.Of)
	}
	if err == nil && !there || errors.Is(err, ErrEnded) {
		return nil, ErrWrong
	}
	var guest wire.Guest
	if err == nil {
		guest, err = b.Called(r.Context(), to.Of.Guest)
	}
	switch {
	case err != nil:
		return nil, err
	case !body.Sure:
		return map[string]string{"name": guest.Name}, nil
	}
	to.Of.Guest = guest
	return guest, b.change(w, r, badge, to)
}

// change makes of whoever a browser was another guest, in a session of its own beside one that he has. The session that it had ends when the way is taken
// and no sooner: who comes second stays who he was. Where it cannot be ended he is let in all the same, since the way is good for one; this browser has
// another cookie from then on.
func (b *Book) change(w http.ResponseWriter, r *http.Request, was Badge, to Way) error {
	first, err := b.Keeper.TakeWay(r.Context(), to)
	if err == nil && !first {
		err = ErrWrong // somebody was quicker
	}
	is, already := to.Of, hmac.Equal([]byte(was.ID), []byte(to.Of.ID))
	if err != nil || already {
		return err
	}
	b.Note("a link to another device was taken", "guest", is.ID)
	if was.ID != "" {
		if err := b.End(r.Context(), was); err != nil {
			b.Note("the session that a browser had before it took a link cannot be ended", "guest", was.ID, "err", err)
		}
	}
	return b.begin(w, r, Badge{Guest: is.Guest, Round: is.Round}) // if all of his were ended meanwhile, so is this
}

func sumOf(code string) []byte {
	sum := sha256.Sum256([]byte(code))
	return sum[:]
}
