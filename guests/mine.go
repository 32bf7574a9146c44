package guests

import (
	"context"
	"encoding/base64"
	"net/http"
	"strconv"
	"time"

	"caveau/wire"
)

// A passkeyCard is what a guest is told of a passkey of his.
type passkeyCard struct {
	ID   string     `json:"id"`
	Name string     `json:"name"`
	Made time.Time  `json:"made"`
	Used *time.Time `json:"used,omitempty"`
}

func cardOf(p Passkey) passkeyCard {
	card := passkeyCard{ID: base64.RawURLEncoding.EncodeToString(p.ID), Name: p.Name, Made: p.Made}
	if !p.Used.IsZero() {
		card.Used = &p.Used
	}
	return card
}

// Passkeys are those of a guest.
func (b *Book) Passkeys(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	if badge.ID == "" {
		return nil, errNobody
	}
	all, err := b.Keeper.Passkeys(r.Context(), badge.ID)
	cards := make([]passkeyCard, len(all))
	for i, p := range all {
		cards[i] = cardOf(p)
	}
	return cards, err
}

// RemovePasskey removes the passkey of a guest that the request names. What is none of his is left alone.
func (b *Book) RemovePasskey(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	if badge.ID == "" {
		return nil, errNobody
	}
	id, err := base.DecodeString(r.PathValue("passkey"))
	if err != nil {
		return nil, wire.Refuse("bad_request", "that is no passkey's id")
	}
	return nil, b.Keeper.RemovePasskey(r.Context(), badge.ID, id)
}

// A tableCard is what a guest is told of a table where he was, or a program of his.
type tableCard struct {
	Table  wire.ID   `json:"table"`
	Link   string    `json:"link"`
	Made   time.Time `json:"made"`
	Over   bool      `json:"over"`
	Record string    `json:"record,omitempty"` // where it can be had
}

func (b *Book) tablesOf(ctx context.Context, guest string) ([]tableCard, error) {
	sat, err := b.Keeper.Tables(ctx, guest)
	cards := make([]tableCard, len(sat))
	for i, t := range sat {
		cards[i] = tableCard{Table: t.ID, Link: b.Origin.String() + "/t/" + string(t.ID), Made: t.Made, Over: t.Over}
		if t.Over {
			cards[i].Record = b.Origin.String() + "/api/tables/" + string(t.ID) + "/record"
		}
	}
	return cards, err
}

// Export is all that the house has of a guest.
func (b *Book) Export(w http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	type programCard struct {
		Program
		Tables []tableCard `json:"tables"`
	}
	passkeys, err := b.Passkeys(w, r, badge)
	if err != nil {
		return nil, err
	}
	guest, err := b.Called(r.Context(), badge.Guest)
	if err != nil {
		return nil, err
	}
	tables, err := b.tablesOf(r.Context(), badge.ID)
	if err != nil {
		return nil, err
	}
	all, err := b.programs(r.Context(), badge.ID)
	if err != nil {
		return nil, err
	}
	programs := make([]programCard, len(all))
	for i, p := range all {
		n, _ := strconv.Atoi(p.ID)
		its, _, err := b.latest(r.Context(), badge.ID, n)
		if err == nil {
			programs[i].Program = p
			programs[i].Tables, err = b.tablesOf(r.Context(), its.ID)
		}
		if err != nil {
			return nil, err
		}
	}
	notices, err := b.Notices(w, r, badge)
	if err != nil {
		return nil, err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="caveau-about-me.json"`)
	return map[string]any{
		"guest": guest, "session": map[string]any{"id": badge.Session, "since": time.Unix(badge.Since, 0).UTC()}, "endedAll": badge.Round,
		"passkeys": passkeys, "programs": programs, "tables": tables, "notices": notices,
	}, nil
}
