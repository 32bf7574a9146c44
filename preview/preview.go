// Package preview is what another program shows of a table whose link somebody sends: what the door sign says, and nothing else. Whoever has
// the link may read that.
package preview

import (
	"fmt"
	"html"
	"strings"

	"caveau/game"
	"caveau/table"
	"caveau/terms"
	"caveau/wire"
)

// words are who invites whoever reads it to which game, the same without a name, and how it stands.
type words struct{ title, nameless, free, full, running, over string }

// inEach are the words of each language.
var inEach = map[string]words{
	"en": {"%s invites you to %s", "You are invited to %s", "Free seats: %d. No account needed.", "Everybody is here: come and watch.", "The game is on: come and watch.", "The game is over."},
	"fr": {"%s t’invite à %s", "Tu es invité à %s", "Places libres : %d. Pas besoin de compte.", "Tout le monde est là : viens regarder.", "La partie est en cours : viens regarder.", "La partie est finie."},
	"ru": {"%s приглашает вас сыграть в «%s»", "Вас приглашают сыграть в «%s»", "Свободных мест: %d. Регистрация не нужна.", "Все в сборе: приходите посмотреть.", "Игра идёт: приходите посмотреть.", "Игра окончена."},
}

// Head is what other programs read at the head of a table's page, for that link in the house of that origin, where those games are played.
func Head(c wire.Card, games []game.Info, link, origin string) string {
	language := c.Language
	if language == "" {
		language = terms.Languages[0]
	}
	in := inEach[language]
	called := game.Title(games, c.Game, c.Edition, language)
	title := fmt.Sprintf(in.nameless, called)
	if c.Host != "" {
		title = fmt.Sprintf(in.title, c.Host, called)
	}
	var text strings.Builder
	for _, said := range [][2]string{
		{"og:type", "website"}, {"og:site_name", "Caveau"}, {"og:locale", language}, {"og:title", title}, {"og:description", in.of(c)},
		{"og:url", link}, {"og:image", origin + "/invitation.jpg"}, {"og:image:width", "1200"}, {"og:image:height", "630"},
		{"twitter:card", "summary_large_image"},
	} {
		fmt.Fprintf(&text, `<meta property="%s" content="%s">`, said[0], html.EscapeString(said[1]))
	}
	return text.String()
}

// of is how a table stands.
func (w words) of(c wire.Card) string {
	free := 0
	for _, seat := range c.Seats {
		if seat.Name == "" && seat.Bot == "" && !seat.Nameless {
			free++
		}
	}
	switch {
	case c.State == table.Over:
		return w.over
	case c.State == table.Running:
		return w.running
	case free == 0:
		return w.full
	}
	return fmt.Sprintf(w.free, free)
}
