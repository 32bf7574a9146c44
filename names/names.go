// Package names says what people may be called: something that can be seen, that does not pass for a bot, and whom it looks like.
package names

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// How long a name may be, in letters, and how many marks may stand in a row, which change the letter before them and pile up over the lines
// around. No language of ours needs more than two.
const (
	longestName = 24
	mostMarks   = 3
)

// Clean is a person's name as a table shows it; false if nothing fit to be shown is left of it, or too much, or if it passes for
// a bot's.
func Clean(name string) (string, bool) {
	if !utf8.ValidString(name) {
		return "", false
	}
	name = norm.NFC.String(strings.Join(strings.Fields(name), " "))
	ok := utf8.RuneCountInString(name) <= longestName && strings.ContainsFunc(name, drawn) && !strings.ContainsFunc(name, hidden)
	return name, ok && !piled(name) && !passesForBot(name)
}

// hidden tells whether a letter is not drawn, or has others drawn in another order. Only the one that joins emoji may stand in a name.
func hidden(r rune) bool { return !unicode.IsPrint(r) && r != '\u200d' }

// drawn tells whether a letter can be seen by itself. Some that count as printable are blank, or only change the one before.
func drawn(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.M, unicode.Other_Default_Ignorable_Code_Point) && r != '\u2800'
}

// piled tells whether more marks stand in a row than a letter can have.
func piled(name string) bool {
	marks := 0
	for _, r := range norm.NFD.String(name) {
		if marks++; !unicode.Is(unicode.M, r) {
			marks = 0
		}
		if marks > mostMarks {
			return true
		}
	}
	return false
}

// bots is what bots are called, in the languages of the page, and on the wire.
var bots = []string{Skeleton("bot"), Skeleton("robot"), Skeleton("бот"), Skeleton("random"), Skeleton("remembering")}

// given are the names that bots have at tables, in the page's three spellings (bot.names in its messages).
var given = func() map[string]bool {
	all := make(map[string]bool)
	for _, name := range strings.Fields("Volta Zinka Rivet Klik Dynamo Pendula Bolto Kupro Magneta Watta Tokko Ferrix Kroma Spirala Fuso " +
		"Brassa Turbina Sprok Klic Boulo Cupro Tocco Croma Fuzo Sproc Вольта Цинка Ривет Клик Динамо Пендула Болто Купро Магнета Ватта " +
		"Токко Феррикс Крома Спирала Фузо Брасса Турбина Спрок") {
		all[Skeleton(name)] = true
	}
	return all
}()

// passesForBot tells whether a bot might be called so: as one is at a table, or with a word for what it is.
func passesForBot(name string) bool {
	if given[Skeleton(name)] {
		return true
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) })
	return slices.ContainsFunc(append(words, name), func(word string) bool { return slices.Contains(bots, Skeleton(word)) })
}

// Skeleton is the same for names that look alike: what is not drawn, marks, gaps and capitals are left out, and letters that are drawn alike in
// the scripts that the house is read in, Latin, Cyrillic and Greek, are one. It is for comparing alone.
func Skeleton(name string) string {
	var s strings.Builder
	for _, r := range norm.NFKD.String(name) {
		if !drawn(r) {
			continue
		}
		r = unicode.ToLower(r)
		if as, ok := lookalikes[r]; ok {
			r = as
		}
		s.WriteRune(r)
	}
	return s.String()
}

var lookalikes = func() map[rune]rune {
	all := make(map[rune]rune)
	for _, list := range []string{
		"aаα", "bвβьъ6", "cсϲ", "dԁ", "eеεє", "3зэ", "gɡ", "hнһη", "i1lіїι|ıӏ!ǀ", "jј", "kкκ", "mмμ", "nпν", "o0оοσө", "pрρ", "qԛ", "sѕ5", "tтτ", "uυ",
		"vѵ", "wԝшщω", "xхχ", "yуүγ", "zζ",
	} {
		letters := []rune(list)
		for _, r := range letters {
			all[r] = letters[0]
		}
	}
	return all
}()
