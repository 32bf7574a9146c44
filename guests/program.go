package guests

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"caveau/names"
	"caveau/wire"
)

// A guest may bring programs, which sit at tables in their own name. Each has a token in the place of a cookie: what it says is marked, so
// nothing is kept of it, and it is good until its guest revokes it. What programs there are is known by their names: one without a name is
// none.

// mostPrograms is how many a guest may have, longestProgram how long the name is that he gives one, in letters. Nobody but a bot may be called
// one (package names), so everybody sees what it is.
const (
	mostPrograms   = 10
	longestProgram = 18
	isBot          = " (bot)"
)

// tokenMark is what the mark of a token is of, with its text.
const tokenMark = "program"

// A Program is what a guest is told of one. It is told the token once.
type Program struct {
	ID    string `json:"id"` // among those of its guest
	Name  string `json:"name"`
	Token string `json:"token,omitempty"`
}

// program is the id, as a guest of the house, of the n-th that a guest brings, and of those that were n-th the one of that round: one has
// nothing of another that was there before it, neither its seats nor its place in records. Nobody works out from an id whose it is. That of
// round 0 nobody has; under it is kept which round it is.
func program(guest string, n, round int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d\n%d", tokenMark, guest, n, round))
	return wire.Program + hex.EncodeToString(sum[:16])
}

// latest is the newest n-th program of a guest, "" if there never was one, and its name, which it has until it is removed; and its round.
func (b *Book) latest(ctx context.Context, guest string, n int) (p wire.Guest, round int, err error) {
	_, round, err = b.Keeper.Ended(ctx, program(guest, n, 0), "")
	if err != nil || round == 0 {
		return p, round, err
	}
	p, err = b.Called(ctx, wire.Guest{ID: program(guest, n, round)})
	return p, round, err
}

// tokenOf is the token that a request comes with, good or not. Other schemes are between a proxy and a browser.
func tokenOf(r *http.Request) (token string, has bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return token, strings.EqualFold(scheme, "Bearer")
}

// HasToken tells whether a request comes with one.
func HasToken(r *http.Request) bool {
	_, has := tokenOf(r)
	return has
}

// Programs are those of a guest.
func (b *Book) Programs(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	if badge.ID == "" {
		return nil, errNobody
	}
	return b.programs(r.Context(), badge.ID)
}

func (b *Book) programs(ctx context.Context, guest string) ([]Program, error) {
	all := []Program{}
	for n := range mostPrograms {
		p, _, err := b.latest(ctx, guest, n)
		if err != nil {
			return nil, err
		}
		if p.Name != "" {
			all = append(all, Program{ID: strconv.Itoa(n), Name: p.Name})
		}
	}
	return all, nil
}

// MakeProgram gives a program of a guest a name and a token. Those that were given in its place before are of no use.
func (b *Book) MakeProgram(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	if badge.ID == "" {
		return nil, errNobody
	}
	var said struct {
		Name string `json:"name"`
	}
	if err := readForm(r, &said); err != nil {
		return nil, err
	}
	name, ok := names.Clean(said.Name)
	if !ok || utf8.RuneCountInString(name) > longestProgram {
		return nil, wire.Refuse("bad_name", "name: 1 to %d letters that can be seen, and no bot's name; “%s” is added", longestProgram, isBot)
	}
	over, err := b.making.Of(r.Context(), badge.ID)
	if err != nil {
		return nil, err
	}
	defer over()
	for {
		made, n, err := b.makeProgram(r.Context(), name+isBot, badge)
		if errors.Is(err, errQuicker) {
			continue
		} else if err != nil {
			return nil, nobodyIf(err)
		}
		token, err := b.marked(tokenMark, Badge{Guest: made, Since: b.Now().Unix()})
		return Program{strconv.Itoa(n), made.Name, token}, err
	}
}

var errQuicker = errors.New("somebody else has made a program there")

// makeProgram makes one in the first place that is free, if nobody else does so meanwhile.
func (b *Book) makeProgram(ctx context.Context, name string, by Badge) (made wire.Guest, n int, err error) {
	if n, err = b.freePlace(ctx, by.ID); err != nil {
		return made, n, err
	}
	old, round, err := b.latest(ctx, by.ID, n)
	if err == nil && old.Name != "" {
		err = errQuicker
	}
	if err == nil && old.ID != "" { // it has no name, and may have something yet
		err = b.dropProgram(ctx, old)
	}
	if err != nil {
		return made, n, err
	}
	made = wire.Guest{ID: program(by.ID, n, round+1), Name: name}
	first, err := b.Keeper.MakeProgram(ctx, program(by.ID, n, 0), round+1, made, by)
	if err == nil && !first {
		err = errQuicker
	}
	return made, n, err
}

func (b *Book) freePlace(ctx context.Context, guest string) (int, error) {
	taken, err := b.programs(ctx, guest)
	if err != nil {
		return 0, err
	}
	n := 0
	for n < len(taken) && taken[n].ID == strconv.Itoa(n) {
		n++
	}
	if n == mostPrograms {
		return 0, wire.Refuse(wire.CodeTooMany, "you have %d programs: remove one first", mostPrograms)
	}
	return n, nil
}

// RemoveProgram revokes the token of a program of a guest, and takes its name from wherever it stands. What is none of his is left alone.
func (b *Book) RemoveProgram(_ http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	if badge.ID == "" {
		return nil, errNobody
	}
	n, err := strconv.Atoi(r.PathValue("program"))
	if err != nil || n < 0 || n >= mostPrograms {
		return nil, wire.Refuse("bad_request", "that is no program's id")
	}
	return nil, b.removeProgram(r.Context(), badge.ID, n)
}

// removeProgram removes the n-th program of a guest, if there ever was one.
func (b *Book) removeProgram(ctx context.Context, guest string, n int) error {
	p, _, err := b.latest(ctx, guest, n)
	if err != nil || p.ID == "" {
		return err
	}
	return b.dropProgram(ctx, p)
}

func (b *Book) dropProgram(ctx context.Context, p wire.Guest) error {
	if err := b.forget(ctx, p.ID, b.dropKept); err != nil {
		return err
	}
	return b.Rename(ctx, wire.Guest{ID: p.ID})
}

// forgetMade removes all programs of a guest, those too from which somebody else has taken their names, and all games of devices that he had kept.
func (b *Book) forgetMade(ctx context.Context, guest string) error {
	for n := range mostPrograms {
		if err := b.removeProgram(ctx, guest, n); err != nil {
			return err
		}
	}
	return b.dropKept(ctx, guest)
}
