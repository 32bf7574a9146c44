package lab_test

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caveau/catalog"
	"caveau/game"
	"caveau/lab"
)

const reported = `{"about":"Random & <dozy>","seed":5,"deals":12,"tables":[
	{"game":"dawn-under","editions":["2017"],"players":[3],"bots":["random"],"moves":400},
	{"game":"toc-toc-toc","players":[3],"bots":["random","rules"],"moves":120},
	{"game":"toc-toc-toc","players":[3],"bots":["random"]}]}`

// The page says what somebody finds who counts the lines of the spreadsheet, and draws it where its axis has it.
func TestTheReportIsARecount(t *testing.T) {
	s := shard(t, reported)
	rows, err := lab.ReadRows(run(t, s))
	if err != nil {
		t.Fatal(err)
	}
	figures := read(t, report(t, s.Experiment, rows))
	lines := sheet(t, rows)
	overview := figures[""]
	of := func(key string, is ...string) (some []map[string]string) {
		for _, l := range lines {
			if slices.Contains(is, l[key]) {
				some = append(some, l)
			}
		}
		return some
	}
	tables := map[string][]map[string]string{
		"dawn-under 2017, 3":            of("game", "dawn-under"),
		"toc-toc-toc, 3: random, rules": slices.DeleteFunc(of("game", "toc-toc-toc"), func(l map[string]string) bool { return atoi(t, l["n"]) >= 12+36 }),
		"toc-toc-toc, 3: random":        slices.DeleteFunc(of("game", "toc-toc-toc"), func(l map[string]string) bool { return atoi(t, l["n"]) < 12+36 }),
	}
	if len(figures) != 1+len(tables) {
		t.Errorf("there are %d sections", len(figures))
	}
	for name, games := range tables {
		seats, ended := map[int]int{}, 0
		wins, chairs, last, back := map[string]int{}, map[string]int{}, 0, 0
		verbs := map[string]int{}
		var moves, leads, touches []float64
		for _, l := range games {
			first := strings.Index("ABC", l["first"])
			for _, s := range l["winners"] {
				seats[(strings.IndexRune("ABC", s)-first+3)%3]++
			}
			for _, s := range []string{"A", "B", "C"} {
				chairs[l["bot "+s]]++
				wins[l["bot "+s]] += strings.Count(l["winners"], s)
			}
			last += strings.Count(l["winners"], l["last"])
			leads = append(leads, float64(atoi(t, l["leads"])))
			touches = append(touches, float64(atoi(t, l["touches"]))/float64(atoi(t, l["turns"])))
			if l["over"] == "true" {
				ended++
				moves = append(moves, float64(atoi(t, l["moves"])))
				if !strings.ContainsAny(l["winners"], l["halfway"]) {
					back++
				}
			}
			for key, n := range l {
				if verb, is := strings.CutPrefix(key, "verb "); is {
					verbs[verb] += atoi(t, n)
				}
			}
		}
		n := len(games)
		section := figures[name]
		for place, label := range []string{"who began", "second", "third"} {
			section.says(t, "Wins by seat", label, float64(seats[place])/float64(n)*100)
		}
		for bot := range wins {
			if len(wins) > 1 {
				section.says(t, "Wins by bot", bot, float64(wins[bot])/float64(chairs[bot])*100)
			}
		}
		for verb, times := range verbs {
			if times > 0 {
				section.says(t, "What happened", verb, float64(times)/float64(n))
			}
		}
		overview.says(t, "Won by whoever began", name, float64(seats[0])/float64(n)*100)
		overview.says(t, "Won by whoever had the last turn", name, float64(last)/float64(n)*100)
		overview.says(t, "Did not end", name, float64(n-ended)/float64(n)*100)
		overview.says(t, "Changes of the lead", name, median(leads))
		overview.says(t, "Interaction", name, median(touches))
		if ended == 0 || ended == n && name == "dawn-under 2017, 3" {
			t.Errorf("%s: %d of %d games ended: let the limit be one that some reach", name, ended, n)
			continue
		}
		overview.says(t, "Length in moves", name, median(moves))
		overview.says(t, "Came from behind", name, float64(back)/float64(ended)*100)
	}
}

// The page needs nothing from elsewhere and runs nothing, and what people write in a file is words on it.
func TestTheReportStandsAlone(t *testing.T) {
	s := shard(t, reported)
	rows, err := lab.ReadRows(run(t, s))
	if err != nil {
		t.Fatal(err)
	}
	page := report(t, s.Experiment, rows)
	for _, never := range []string{"<script", "://", "url(", "@import", "src=", "href=", "javascript:", "<dozy>"} {
		if bytes.Contains(page, []byte(never)) {
			t.Errorf("there is a %q in the report", never)
		}
	}
	if !bytes.Contains(page, []byte("<title>Random &amp; &lt;dozy&gt;</title>")) {
		t.Error("its title is not the question")
	}
	if again := report(t, s.Experiment, rows); !bytes.Equal(again, page) {
		t.Error("of the same rows there is another report")
	}
	part := report(t, s.Experiment, rows[:12])
	if figures := read(t, part); len(figures) != 2 || !bytes.Contains(part, []byte("12 games of 60, ")) {
		t.Errorf("of the games at one table there is a report with %d sections", len(figures))
	}
}

// A ladder has every bot's games, its share of them and its rating, the reference's being nought.
func TestALadder(t *testing.T) {
	s, err := lab.Rungs{Game: "toc-toc-toc", Players: []int{3}, Bots: []string{"remembering:dozy", "random"}, Deals: 10, Seed: 2}.Shard(catalog.House.Laboratory())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := lab.ReadRows(run(t, s))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := lab.Ladder(s.Experiment, catalog.House.Laboratory(), rows, &text); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	if lines[1] != "### toc-toc-toc, 3" || !strings.HasPrefix(lines[5], "| `remembering:dozy` | +") || !strings.HasPrefix(lines[6], "| `random` | +0.0 | +0.0 to +0.0 |") {
		t.Fatalf("the ladder is\n%s", text.String())
	}
	for _, line := range lines[5:7] {
		cell := strings.Split(line, " | ")
		bot, wins, chairs := strings.Trim(cell[0], "| `"), 0, 0
		for _, r := range rows {
			for s, name := range r.Bots {
				if name == bot {
					chairs++
					wins += strings.Count(fmt.Sprint(r.Winners), game.Seat(s).String())
				}
			}
		}
		if share := fmt.Sprintf("%.1f %%", 100*float64(wins)/float64(chairs)); cell[3] != share || cell[5] != fmt.Sprintf("%d |", chairs) {
			t.Errorf("of %s a recount finds %s of %d: %s", bot, share, chairs, line)
		}
	}
	if _, err := (lab.Rungs{Game: "chess", Deals: 1}).Shard(catalog.House.Laboratory()); err == nil || !strings.Contains(err.Error(), `no game called "chess"`) {
		t.Errorf("a ladder of chess: %v", err)
	}
}

func report(t *testing.T, e lab.Experiment, rows []lab.Row) []byte {
	t.Helper()
	var page bytes.Buffer
	if err := lab.Report(e, catalog.House.Laboratory(), rows, &page); err != nil {
		t.Fatal(err)
	}
	return page.Bytes()
}

// sheet are the lines of the spreadsheet, by the names of the columns.
func sheet(t *testing.T, rows []lab.Row) (lines []map[string]string) {
	t.Helper()
	var text bytes.Buffer
	if err := lab.WriteCSV(rows, &text); err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range all[1:] {
		line := map[string]string{}
		for i, name := range all[0] {
			line[name] = record[i]
		}
		lines = append(lines, line)
	}
	return lines
}

// A section has its figures by title.
type section map[string]plot

// A plot is a figure as it was read: what stands at each label, where its dot is, and its axis.
type plot struct {
	text map[string]string
	dot  map[string]float64 // percent of the width
	end  float64            // what stands at its end
}

func (s section) says(t *testing.T, figure, label string, value float64) {
	t.Helper()
	text, there := s[figure].text[label]
	said, _, _ := strings.Cut(text, " ")
	v, err := strconv.ParseFloat(said, 64)
	digits := len(said[strings.Index(said+".", "."):])
	if !there || err != nil || math.Abs(v-value) > 0.5001*math.Pow(10, -float64(max(0, digits-1))) {
		t.Errorf("%s, %s: %q, and a recount finds %v", figure, label, text, value)
	}
	if at := s[figure].dot[label] / 100 * s[figure].end; math.Abs(at-value) > s[figure].end/1000 {
		t.Errorf("%s, %s: the dot is at %v, and a recount finds %v", figure, label, at, value)
	}
}

// read reads a report as the tree that it is: sections by their heading, that of all tables "".
func read(t *testing.T, page []byte) map[string]section {
	t.Helper()
	var html struct {
		Sections []struct {
			Name    string `xml:"h2"`
			Figures []struct {
				Title   string `xml:"figcaption>h3"`
				Caption string `xml:"figcaption>p"`
				Rows    []struct {
					Head struct {
						Label string `xml:",chardata"`
						Text  string `xml:"span"`
					} `xml:"th"`
					Dot struct {
						At string `xml:"cx,attr"`
					} `xml:"td>svg>circle"`
					Ticks []string `xml:"td>svg>text"`
				} `xml:"table>tr"`
			} `xml:"div>figure"`
		} `xml:"body>section"`
	}
	if err := xml.Unmarshal(page, &html); err != nil {
		t.Fatalf("the report is not well-formed: %v", err)
	}
	for d := xml.NewDecoder(bytes.NewReader(page)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the report is not well-formed to its end: %v", err)
		}
	}
	sections := map[string]section{}
	for i, s := range html.Sections {
		read := section{}
		for _, f := range s.Figures {
			p := plot{map[string]string{}, map[string]float64{}, 0}
			for _, r := range f.Rows[:len(f.Rows)-1] {
				label := strings.TrimSpace(r.Head.Label)
				p.text[label], p.dot[label] = r.Head.Text, number(t, strings.TrimSuffix(r.Dot.At, "%"))
			}
			ticks := f.Rows[len(f.Rows)-1].Ticks // and behind them the name of the axis
			p.end = number(t, ticks[len(ticks)-2])
			if read[f.Title] = p; len(f.Caption) < 40 || strings.TrimSpace(ticks[len(ticks)-1]) == "" {
				t.Errorf("%s has no caption, or its axis no name", f.Title)
			}
		}
		if i == 0 {
			s.Name = ""
		}
		sections[s.Name] = read
	}
	return sections
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[(len(values)-1)/2]
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func atoi(t *testing.T, text string) int { return int(number(t, text)) }
