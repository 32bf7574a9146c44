package names_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"caveau/names"
)

// A name is something to be seen: letters that are blank, that only change the one before, or that turn the others round are none.
func TestANameCanBeSeen(t *testing.T) {
	for _, none := range []string{
		"", " ", "\u200d", "\u3164", "\u115f \u1160", "\uffa0", "\u2800", "\u0301", "\ufe0f", "\u202eAna", "\u2066Ana\u2069", "A\u200bna", "Ana\n\x00",
		"\ufeffAna", "An\u00ada", "\xff", "\U000e0041", strings.Repeat("x", 25), "Z" + strings.Repeat("\u0335", 5), "e\u0301\u0301\u0301\u0301",
	} {
		if name, ok := names.Clean(none); ok {
			t.Errorf("%q became the name %q", none, name)
		}
	}
	for name, want := range map[string]string{
		"Ana": "Ana", "  Ana   Maria ": "Ana Maria", "Дима": "Дима", "明": "明", "7": "7", "🦇": "🦇", "👩\u200d🚀": "👩\u200d🚀", "❤\ufe0f": "❤\ufe0f", "…": "…",
		"é": "é", "e\u0301": "é", "नी": "नी", "Nguyễn": "Nguyễn", "Lou-Ann O’Neil": "Lou-Ann O’Neil", strings.Repeat("é", 24): strings.Repeat("é", 24),
		"Abbott": "Abbott", "Botho": "Botho", "Робин": "Робин",
	} {
		if clean, ok := names.Clean(name); !ok || clean != want {
			t.Errorf("%q became %q, %t", name, clean, ok)
		}
	}
}

// Nobody passes for a bot, in whatever letters: neither as the page calls them in any language, nor as the wire does.
func TestABotsName(t *testing.T) {
	bots := []string{"random", "Remembering:keen", "BOT", "B0t", "Вот", "ｂｏｔ", "b\u00f6t", "keen-bot C", "bot\u200dC", "Rob0t", "🤖 bot"}
	for _, language := range []string{"en", "fr", "ru"} {
		text, err := os.ReadFile("../web/src/messages/" + language + ".ts")
		if err != nil {
			t.Fatal(err)
		}
		called := regexp.MustCompile(`'bot\.(?:random|dozy|keen|sharp|rules)': '(.+)'`).FindAllStringSubmatch(string(text), -1)
		if len(called) != 5 {
			t.Errorf("in %s there are the bots %v", language, called)
		}
		for _, c := range called {
			bots = append(bots, c[1], c[1]+" C")
		}
		given := regexp.MustCompile(`(?s)'bot\.names': \[(.+?)\]`).FindSubmatch(text)
		all := regexp.MustCompile(`'(.+?)'`).FindAllStringSubmatch(string(given[1]), -1)
		if len(all) < 6 {
			t.Errorf("in %s bots have the names %q", language, all)
		}
		for _, name := range all {
			bots = append(bots, name[1], strings.ToUpper(name[1]), name[1]+" ("+called[0][1]+")")
		}
	}
	for _, name := range bots {
		if clean, ok := names.Clean(name); ok {
			t.Errorf("somebody may be called %q", clean)
		}
	}
}

// Names that look alike have one skeleton; those that do not have two.
func TestSkeleton(t *testing.T) {
	for _, alike := range [][]string{
		{"Ana", "ana", "ANA", "Аna", "Аnа", "A na", "Ａｎａ", "Αna", "Ana\ufe0f", "A\u200dna", "Åna", "𝒜na"},
		{"Oleg", "0leg", "ОIeg", "OIeg", "oleg"},
		{"Coco", "Сосо", "coc0"},
		{"fi", "ﬁ", "Fl"},
	} {
		for _, name := range alike {
			if got, want := names.Skeleton(name), names.Skeleton(alike[0]); got != want {
				t.Errorf("%q is %q, and %q is %q", name, got, alike[0], want)
			}
		}
	}
	seen := map[string]string{}
	for _, name := range []string{"Ana", "Anna", "Ben", "Cleo", "Дима", "Дина", "Маша", "Миша", "明", "月", "🦇", "🐀", "Max 2", "Max 7"} {
		s := names.Skeleton(name)
		if s == "" || seen[s] != "" {
			t.Errorf("%q is %q, and so is %q", name, s, seen[s])
		}
		seen[s] = name
	}
}

// FuzzClean: a name that was taken is taken again as it is, has at most 24 letters, and somebody can be told apart by it.
func FuzzClean(f *testing.F) {
	for _, name := range []string{"Ana", " e\u0301 ", "👩\u200d🚀", "\u202eAna", "ﬁ", "नी", "\xff", "Z\u0335\u0335\u0335"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean, ok := names.Clean(name)
		if !ok {
			return
		}
		if again, ok := names.Clean(clean); !ok || again != clean {
			t.Errorf("%q became %q, and that %q, %t", name, clean, again, ok)
		}
		if n := utf8.RuneCountInString(clean); n == 0 || n > 24 || strings.ContainsAny(clean, "\n\r\t\x00\u202e\u2066\u200b") {
			t.Errorf("%q became %q", name, clean)
		}
		if names.Skeleton(clean) == "" {
			t.Errorf("%q looks like nothing", clean)
		}
	})
}
