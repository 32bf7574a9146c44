package guests

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"caveau/game"
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

// program is the id, as a guest of the house, of the n-th that a guest brings. Nobody works out from it whose it is.
func program(guest string, n int) string {
	sum := sha256.Sum256([]byte(tokenMark + "\n" + guest + "\n" + strconv.Itoa(n)))
	return wire.Program + hex.EncodeToString(sum[:16])
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
		called, err := b.Called(ctx, wire.Guest{ID: program(guest, n)})
		if err != nil {
			return nil, err
		}
		if called.Name != "" {
			all = append(all, Program{ID: strconv.Itoa(n), Name: called.Name})
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
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = game.ReadStrict(text, &said)
	}
	if err != nil {
		return nil, wire.Refuse("bad_request", "the body is not the JSON that is expected: %v", err)
	}
	name, ok := names.Clean(said.Name)
	if !ok || utf8.RuneCountInString(name) > longestProgram {
		return nil, wire.Refuse("bad_name", "name: 1 to %d letters that can be seen, and no bot's name; “%s” is added", longestProgram, isBot)
	}
	b.making.Lock()
	defer b.making.Unlock()
	n, err := b.freePlace(r.Context(), badge.ID)
	if err != nil {
		return nil, err
	}
	made := Badge{Guest: wire.Guest{ID: program(badge.ID, n), Name: name + isBot}, Since: b.Now().Unix()}
	if made.Round, err = b.endAll(r.Context(), made.ID); err != nil {
		return nil, err
	}
	token, err := b.marked(tokenMark, made)
	if err != nil {
		return nil, err
	}
	return Program{strconv.Itoa(n), made.Name, token}, b.Rename(r.Context(), made.Guest)
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
	return nil, b.removeProgram(r.Context(), program(badge.ID, n))
}

func (b *Book) removeProgram(ctx context.Context, id string) error {
	if err := b.EndAll(ctx, id); err != nil {
		return err
	}
	return b.Rename(ctx, wire.Guest{ID: id})
}

// forgetPrograms removes all programs of a guest.
func (b *Book) forgetPrograms(ctx context.Context, guest string) error {
	all, err := b.programs(ctx, guest)
	for _, p := range all {
		n, _ := strconv.Atoi(p.ID)
		if err == nil {
			err = b.removeProgram(ctx, program(guest, n))
		}
	}
	return err
}
