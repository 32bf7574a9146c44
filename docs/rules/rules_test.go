// Package rules_test examines the rulebooks of the house: all here, the same in each language, and complete.
package rules_test

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caveau/catalog"
)

// books says which rulings each book tells, by their letters.
var books = map[string]string{"2004": "SWOKTGPD", "rucola": "XCB", "2017": "N", "toc-toc-toc": "Q"}

var languages = []string{"en", "fr", "ru"}

var (
	heading  = regexp.MustCompile(`^(#+) (\d[\d.]*) ?([^{]*?) ?\{([^{}]+)\}(?: \{([A-Z0-9 ]+)\})?$`)
	ruling   = regexp.MustCompile(`\b[SWOKTGPDXCBNQ][1-9][0-9]?\b`)
	citation = regexp.MustCompile(`"((?:2004|rucola|2017|toc-toc-toc)(?: ch\. \d+|, [^"]+)|[A-Z][1-9][0-9]?)"`)
	refusal  = regexp.MustCompile(`(?:Code: |because\()"(\w+)", (?:Rule: )?"([^"]+)"`)
	figure   = regexp.MustCompile(`!\[[^\]]+\]\(([^)]+)\)`)
)

// A section is a chapter or a paragraph, without what it says.
type section struct {
	mark, number, title, source, codes string
	text                               []string
}

// TestBooks: every book is here in every language, and well formed.
func TestBooks(t *testing.T) {
	for book := range books {
		for _, language := range languages {
			checkNumbers(t, book+"."+language, read(t, book, language))
		}
	}
}

// TestTitles: a book is called what its game says that people call it.
func TestTitles(t *testing.T) {
	for _, info := range catalog.House.Games() {
		for _, edition := range info.Editions {
			for _, language := range languages {
				book := cmp.Or(edition.Name, info.Name)
				text, err := os.ReadFile(book + "." + language + ".md")
				if err != nil {
					t.Fatal(err)
				}
				if title, _, _ := strings.Cut(string(text), "\n"); title != "# "+edition.Titles[language] {
					t.Errorf("the book %s begins with %q in %s, and the edition's title is %q", book, title, language, edition.Titles[language])
				}
			}
		}
	}
}

func checkNumbers(t *testing.T, name string, sections []section) {
	chapter, paragraph := "", 0
	for i, s := range sections {
		switch {
		case s.mark == "##":
			chapter, paragraph = strings.TrimSuffix(s.number, "."), 0
			if s.title == "" || i+1 == len(sections) || sections[i+1].mark != "###" {
				t.Errorf("%s: chapter %s has no title, or no paragraph", name, s.number)
			}
		default:
			paragraph++
			if want := fmt.Sprintf("%s.%d", chapter, paragraph); s.number != want {
				t.Errorf("%s: paragraph %s stands where %s should", name, s.number, want)
			}
			if len(s.text) == 0 {
				t.Errorf("%s: paragraph %s says nothing", name, s.number)
			}
		}
	}
}

// TestLanguages: numbers, sources, rulings and figures of a book are the same in all languages.
func TestLanguages(t *testing.T) {
	for book := range books {
		english := skeleton(read(t, book, "en"))
		for _, language := range languages {
			for _, line := range difference(english, skeleton(read(t, book, language))) {
				t.Errorf("%s.en and %s.%s differ in %s", book, book, language, line)
			}
		}
	}
}

// skeleton is what a book says in no language.
func skeleton(sections []section) (lines []string) {
	for _, s := range sections {
		line := fmt.Sprintf("%s %s {%s} {%s}", s.mark, s.number, s.source, s.codes)
		for _, f := range figure.FindAllStringSubmatch(strings.Join(s.text, "\n"), -1) {
			line += " " + f[1]
		}
		lines = append(lines, line)
	}
	return lines
}

func difference(a, b []string) (lines []string) {
	for _, line := range a {
		if !slices.Contains(b, line) {
			lines = append(lines, line)
		}
	}
	for _, line := range b {
		if !slices.Contains(a, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestRulings: every ruling has a paragraph in its book in every language, and no paragraph names one that does not exist.
// (That it has a script too, the tests of its game see to.)
func TestRulings(t *testing.T) {
	page, err := os.ReadFile("../rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	rulings := ruling.FindAllString(string(page), -1)
	for book, letters := range books {
		for _, language := range languages {
			told := targets(read(t, book, language))
			for _, code := range rulings {
				if strings.Contains(letters, code[:1]) && !told[code] {
					t.Errorf("%s.%s has no paragraph that tells ruling %s", book, language, code)
				}
			}
			for target := range told {
				if ruling.FindString(target) == target && !slices.Contains(rulings, target) {
					t.Errorf("%s.%s tells %s, which docs/rulings.md does not know", book, language, target)
				}
			}
		}
	}
}

// targets is what a citation can point to in a book: the sources and the rulings of its paragraphs.
func targets(sections []section) map[string]bool {
	found := map[string]bool{}
	for _, s := range sections {
		if s.mark != "###" {
			continue
		}
		found[s.source] = true
		for _, code := range strings.Fields(s.codes) {
			found[code] = true
		}
	}
	return found
}

// shelves are the books of each game, by its folder.
var shelves = map[string][]string{"dawn": {"2004", "rucola", "2017"}, "toctoc": {"toc-toc-toc"}}

// TestCitations: what the source of a game cites, to a player or to whoever reads it, stands in a book of that game.
func TestCitations(t *testing.T) {
	for folder, shelf := range shelves {
		told := map[string]bool{}
		for _, book := range shelf {
			maps.Copy(told, targets(read(t, book, "en")))
		}
		cited := citations(t, "../../games/"+folder)
		if len(cited) < 10 {
			t.Errorf("games/%s cites only %d paragraphs", folder, len(cited))
		}
		for target, file := range cited {
			if !told[target] {
				t.Errorf("%s cites %s, which is no paragraph of %v", file, target, shelf)
			}
		}
	}
}

// citations is what the games cite, and a file that does.
func citations(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, c := range citation.FindAllStringSubmatch(string(text), -1) {
			found[c[1]] = path
		}
		for _, c := range refusal.FindAllStringSubmatch(string(text), -1) {
			found[c[2]] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestScriptsAndCode: a ruling that a game's scripts name is named where its code follows it, and the other way round; so
// whoever looks for one finds both.
func TestScriptsAndCode(t *testing.T) {
	for folder := range shelves {
		scripts := named(t, "../../games/"+folder+"/testdata/scripts/*.txt")
		code := named(t, "../../games/"+folder+"/*.go")
		if len(scripts) < 13 {
			t.Errorf("the scripts of games/%s name only %d rulings", folder, len(scripts))
		}
		for ruling, file := range scripts {
			if code[ruling] == "" {
				t.Errorf("%s names %s, and no code does", file, ruling)
			}
		}
		for ruling, file := range code {
			if scripts[ruling] == "" {
				t.Errorf("%s names %s, and no script does", file, ruling)
			}
		}
	}
}

// named are the rulings that files name, tests in Go left out, and a file that names each.
func named(t *testing.T, pattern string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range ruling.FindAllString(string(text), -1) {
			found[code] = file
		}
	}
	return found
}

// torn is what a line must not be broken at: French signs that stand apart, and Russian dashes.
var torn = map[string]*regexp.Regexp{
	"fr": regexp.MustCompile(`(?:^| )[;:?»]| !|«(?: |$)`),
	"ru": regexp.MustCompile(`(?:^| )—`),
}

// TestTypography: what belongs to the word before it, or after it, is bound to it by a space that does not break.
func TestTypography(t *testing.T) {
	for book := range books {
		for language, torn := range torn {
			name := book + "." + language + ".md"
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				if torn.MatchString(line) {
					t.Errorf("%s:%d: a plain space stands where none may break: %s", name, i+1, line)
				}
			}
		}
	}
}

// struckOut are words that say something else than they should, or that no rulebook has, by language.
var struckOut = map[string]*regexp.Regexp{
	// Who for whoever; a tomb is a grave, from six years on is aged six.
	"en": regexp.MustCompile(`(?:^|\. )Who (?:has|meets)|\btombs?\b|years on|none of your two`),
	// The Count is Rucola; an hôte is a guest as well; so many as what; a vampire du bout; s'arrêter, for passer is forbidden; libre.
	"fr": regexp.MustCompile(`Roquette|\bl’hôte\b|aussi nombreux|au dernier vampire|quand passer|tombeau|jeu de base raconté`),
	// The Count guards, for what is taken is taken by vampires; during a plague; under a lid; each time, not casually.
	"ru": regexp.MustCompile(`граф\S* занима|заня\S+ графом|(?:открыт|перевёрнут)\S+ в чуму|под низ|между делом|уложили в свою очередь`),
}

// TestStruckOut: an editor read the books, and these he struck out.
func TestStruckOut(t *testing.T) {
	for book := range books {
		for language, words := range struckOut {
			for _, s := range read(t, book, language) {
				if found := words.FindString(strings.Join(s.text, " ")); found != "" {
					t.Errorf("%s.%s %s says %q", book, language, s.number, found)
				}
			}
		}
	}
}

// TestFigures: every figure that a paragraph shows is here, says what it shows, and no other is.
func TestFigures(t *testing.T) {
	shown := map[string]bool{}
	for book := range books {
		for _, s := range read(t, book, "en") {
			for _, f := range figure.FindAllStringSubmatch(strings.Join(s.text, "\n"), -1) {
				shown[f[1]] = true
				checkFigure(t, book+" "+s.number, f[1])
			}
		}
	}
	files, err := filepath.Glob("figures/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !shown[filepath.ToSlash(file)] {
			t.Errorf("%s is shown by no paragraph", file)
		}
	}
}

func checkFigure(t *testing.T, where, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return
	}
	var drawing struct {
		Title []string `xml:"title"`
		Desc  []string `xml:"desc"`
	}
	if err := xml.Unmarshal(text, &drawing); err != nil {
		t.Errorf("%s: %s: %v", where, file, err)
	}
	if len(drawing.Title) != len(languages) || len(drawing.Desc) != len(languages) {
		t.Errorf("%s: %s needs a title and a desc in each language", where, file)
	}
}

// read reads a book: a title, then chapters and paragraphs, each under its heading.
func read(t *testing.T, book, language string) (sections []section) {
	t.Helper()
	name := book + "." + language + ".md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("a rulebook is missing: %v", err)
	}
	lines := strings.Split(string(text), "\n")
	if !strings.HasPrefix(lines[0], "# ") {
		t.Errorf("%s begins with no title", name)
	}
	for i, line := range lines[1:] {
		h := heading.FindStringSubmatch(line)
		switch {
		case h != nil && (h[1] == "##" || h[1] == "###"):
			sections = append(sections, section{mark: h[1], number: h[2], title: h[3], source: h[4], codes: h[5]})
		case strings.HasPrefix(line, "#"):
			t.Errorf("%s:%d: %q is no heading of a chapter or a paragraph", name, i+2, line)
		case strings.TrimSpace(line) != "" && len(sections) == 0:
			t.Errorf("%s:%d: text before the first chapter", name, i+2)
		case strings.TrimSpace(line) != "":
			last := &sections[len(sections)-1]
			last.text = append(last.text, line)
		}
	}
	return sections
}
