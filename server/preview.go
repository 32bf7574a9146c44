package server

import (
	"fmt"
	"html"
	"net/http"
	"strings"

	"caveau/static"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// Where a table's link is shown by another program, it is told what the door sign says: who invites, to what, and with how many seats
// free. Whoever has the link may read that.

type preview struct{ title, nameless, free, full, running, over string }

// previews are how it is told, in each language: who invites whoever reads it to which game, the same without a name, and how it stands.
var previews = map[string]preview{
	"en": {"%s invites you to %s", "You are invited to %s", "Free seats: %d. No account needed.", "Everybody is here: come and watch.", "The game is on: come and watch.", "The game is over."},
	"fr": {"%s t’invite à %s", "Tu es invité à %s", "Places libres : %d. Pas besoin de compte.", "Tout le monde est là : viens regarder.", "La partie est en cours : viens regarder.", "La partie est finie."},
	"ru": {"%s приглашает вас сыграть в «%s»", "Вас приглашают сыграть в «%s»", "Свободных мест: %d. Регистрация не нужна.", "Все в сборе: приходите посмотреть.", "Игра идёт: приходите посмотреть.", "Игра окончена."},
}

// tablePage is the page of a table, with what its link is told by. Nobody gets more of it than of the door sign: no stranger in a house
// for invited people, and nobody who asks for too much.
func (s *Server) tablePage(client *static.Files) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := s.known(r, visited(r))
		if err == nil && !s.bars(v.Visitor) && s.spent.requests.allow(v.Visitor, s.Clock.Now()) {
			if c, err := s.Lobby.Card(r.Context(), wire.ID(r.PathValue("table"))); err == nil {
				client.Headed(w, s.head(c))
				return
			}
		}
		client.Index(w, r)
	}
}

// head is what other programs read of a table's page.
func (s *Server) head(c wire.Card) string {
	language := c.Language
	if language == "" {
		language = terms.Languages[0]
	}
	words := previews[language]
	title := fmt.Sprintf(words.nameless, called(c.Game))
	if c.Host != "" {
		title = fmt.Sprintf(words.title, c.Host, called(c.Game))
	}
	var text strings.Builder
	for _, said := range [][2]string{
		{"og:type", "website"}, {"og:site_name", "Caveau"}, {"og:locale", language}, {"og:title", title}, {"og:description", words.of(c)},
		{"og:url", s.link(c.Table)}, {"og:image", s.Origin + "/invitation.jpg"}, {"og:image:width", "1200"}, {"og:image:height", "630"},
		{"twitter:card", "summary_large_image"},
	} {
		fmt.Fprintf(&text, `<meta property="%s" content="%s">`, said[0], html.EscapeString(said[1]))
	}
	return text.String()
}

// called is a game's name as people write it.
func called(game string) string {
	words := strings.Split(game, "-")
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, " ")
}

// of is how a table stands.
func (words preview) of(c wire.Card) string {
	free := 0
	for _, seat := range c.Seats {
		if seat.Name == "" && seat.Bot == "" && !seat.Nameless {
			free++
		}
	}
	switch {
	case c.State == table.Over:
		return words.over
	case c.State == table.Running:
		return words.running
	case free == 0:
		return words.full
	}
	return fmt.Sprintf(words.free, free)
}
