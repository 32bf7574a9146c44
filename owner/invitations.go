package owner

import (
	"context"
	"crypto/hmac"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"caveau/qrcode"
	"caveau/reply"
	"caveau/wire"
)

// An Invitation lets strangers in by its link. It is known by its number, and marked, so no copy of the database tells its link.
type Invitation struct {
	N     int       `json:"n"`
	For   string    `json:"for"`   // whom the owner made it for, in his words
	Until time.Time `json:"until"` // how long it is good
	Times int       `json:"times"` // for how many people; 0: as many as come
	Used  int       `json:"used"`  // how many have come
}

// full tells whether as many have come by it as may.
func (i Invitation) full() bool { return i.Times > 0 && i.Used >= i.Times }

func (i Invitation) lasts(now time.Time) bool { return now.Before(i.Until) }

// good tells whether it lets one more in.
func (i Invitation) good(now time.Time) bool { return i.lasts(now) && !i.full() }

// code is the last part of its link, under a key of the house.
func (i Invitation) code(secret []byte) string {
	is := fmt.Sprintf("%d %d", i.N, i.Until.Unix())
	return strconv.Itoa(i.N) + "-" + mark(secret, "invitation", is)[:codeLength]
}

// isOf tells whether a code is that of an invitation, under the key of today or one before.
func (o *Owner) isOf(code string, i Invitation) bool {
	return slices.ContainsFunc(append([][]byte{o.Secret}, o.Older...), func(secret []byte) bool { return hmac.Equal([]byte(i.code(secret)), []byte(code)) })
}

// codeLength is 120 bits.
const codeLength = 20

func (o *Owner) link(i Invitation) string { return o.Origin + "/i/" + i.code(o.Secret) }

// Invited tells whether strangers need an invitation. It waits for nothing.
func (o *Owner) Invited() bool { return o.Config.Invited || o.invited.Load() }

// is tells whether an invitation has that number.
func (i Invitation) is(number string) bool { return strconv.Itoa(i.N) == number }

// Redeem lets a guest in by an invitation; a *wire.Error if it is none, or not good any more. What makes a guest of him is done before: where
// that fails nobody has come, and that is the error. Who has just come by it may come again, as who has heard no answer does: it is used once for him.
func (o *Owner) Redeem(ctx context.Context, code, guest string, do func() error) error {
	text, err := o.Notes.Note(ctx, noteName) // it may have been made at another node
	if err != nil {
		return err
	}
	n, err := readNoted(text)
	if err == nil {
		_, err = o.invitation(n, code, guest)
	}
	if err == nil {
		err = do()
	}
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	number := 0
	err = o.note(ctx, func(n *noted) error {
		i, err := o.invitation(*n, code, guest) // somebody else may have come by it meanwhile
		if err == nil {
			number = i.N
			if came := o.coming(code, guest); !n.has(came) {
				i.Used++
				n.Came = append(n.Came, came)[max(0, len(n.Came)+1-mostCame):]
			}
		}
		return err
	})
	if err == nil {
		o.Slog.Info("somebody came by an invitation", "invitation", number)
	}
	return err
}

// coming is the mark of a guest who comes by an invitation: from what is noted nobody reads who came by which.
func (o *Owner) coming(code, guest string) string {
	return mark(o.Secret, "coming", code+" "+guest)[:codeLength]
}

// has tells whether somebody has come by an invitation lately, whose mark that is.
func (n noted) has(came string) bool {
	return slices.ContainsFunc(n.Came, func(one string) bool { return hmac.Equal([]byte(one), []byte(came)) })
}

// invitation is the one that has that code, while it is good for a guest; else a *wire.Error.
func (o *Owner) invitation(n noted, code, guest string) (*Invitation, error) {
	number, _, _ := strings.Cut(code, "-")
	i := slices.IndexFunc(n.Invitations, func(i Invitation) bool { return i.is(number) && o.isOf(code, i) })
	if i < 0 || !n.Invitations[i].lasts(o.Now()) || n.Invitations[i].full() && !n.has(o.coming(code, guest)) {
		return nil, wire.Refuse(wire.CodeUninvited, "this house is for invited people: that invitation is none, or not good any more")
	}
	return &n.Invitations[i], nil
}

// How long an invitation may be good, how many there may be at once, and of how many who have come by one it is known.
const (
	mostDays        = 366
	mostInvitations = 200
	longestFor      = 40
	mostCame        = 20
	mostTimes       = 1000
)

// invite makes an invitation.
func (o *Owner) invite(w http.ResponseWriter, r *http.Request) {
	var body struct {
		For   string `json:"for"`
		Days  int    `json:"days"`
		Times int    `json:"times"`
	}
	if !reply.Read(w, r, longest, &body) {
		return
	}
	if body.Days < 1 || body.Days > mostDays || body.Times < 0 || body.Times > mostTimes || len([]rune(body.For)) > longestFor {
		reply.Refuse(w, http.StatusBadRequest, "bad_request", fmt.Sprintf("days: 1 to %d; times: 0 to %d; for: at most %d letters", mostDays, mostTimes, longestFor))
		return
	}
	made, err := o.addInvitation(r.Context(), Invitation{For: body.For, Until: o.Now().AddDate(0, 0, body.Days).Truncate(time.Second), Times: body.Times})
	if err != nil {
		reply.Error(w, err)
		return
	}
	o.Slog.Info("the owner", "did", "invite", "invitation", made.N)
	reply.JSON(w, http.StatusCreated, map[string]any{"n": made.N, "link": o.link(made)})
}

// addInvitation gives it its number. Those whose time is over are forgotten, and where there are too many those that are full.
func (o *Owner) addInvitation(ctx context.Context, made Invitation) (Invitation, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.Now()
	err := o.note(ctx, func(n *noted) error {
		full := len(n.Invitations) >= mostInvitations // else the last who came by one may not have heard so, and comes again
		n.Invitations = slices.DeleteFunc(n.Invitations, func(i Invitation) bool { return !i.lasts(now) || full && i.full() })
		if len(n.Invitations) >= mostInvitations {
			return wire.Refuse(wire.CodeBusy, "there are %d invitations: take one back first", mostInvitations)
		}
		n.Last++
		made.N = n.Last
		n.Invitations = append(n.Invitations, made)
		return nil
	})
	return made, err
}

// revoke takes an invitation back. Whoever has come by it stays.
func (o *Owner) revoke(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	err := o.note(r.Context(), func(n *noted) error {
		n.Invitations = slices.DeleteFunc(n.Invitations, func(i Invitation) bool { return i.is(r.PathValue("n")) })
		return nil
	})
	o.mu.Unlock()
	o.done(w, err, "take an invitation back", "invitation", r.PathValue("n"))
}

// drawn is the QR code of an invitation's link.
func (o *Owner) drawn(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	all := o.noted.Invitations
	o.mu.Unlock()
	for _, i := range all {
		if !i.is(r.PathValue("n")) {
			continue
		}
		code, err := qrcode.SVG(o.link(i))
		if err != nil {
			reply.Error(w, err)
			return
		}
		w.Header().Set("Content-Type", "image/svg+xml")
		w.Header().Set("Cache-Control", "no-store")
		io.WriteString(w, code)
		return
	}
	reply.Refuse(w, http.StatusNotFound, "bad_request", "there is no such invitation")
}
