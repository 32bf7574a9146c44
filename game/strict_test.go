package game_test

import (
	"strings"
	"testing"

	"caveau/game"
)

func TestReadStrict(t *testing.T) {
	type inner struct {
		Name string `json:"name"`
	}
	type outer struct {
		inner
		Many map[string][]inner `json:"many"`
		One  *inner             `json:"one"`
		Seat game.Seat          `json:"seat"`
		Own  int
	}
	for text, why := range map[string]string{
		`{"name":"a","many":{"Any":[{"name":"b"}]},"one":{"name":"c"},"seat":"B","Own":1}`: "",
		`{"one":null}`:                       "",
		`{"name":"a","name":"b"}`:            "stands twice",
		`{"Name":"a"}`:                       "no key",
		`{"many":{"x":[{"NAME":"b"}]}}`:      "no key",
		`{"many":{"x":[{}, {"name ":"b"}]}}`: "no key",
		`{"one":{"nam\u0065":"c"}}`:          "",
		`{"one":{"ſeat":"c"}}`:               "no key",
		`{"own":1}`:                          "no key",
		`{"inner":{"name":"a"}}`:             "no key",
		`{"one":[]}`:                         "cannot unmarshal",
		`{"many":7}`:                         "cannot unmarshal",
		`{} {}`:                              "after the document",
		`{"name":"` + "\xff" + `"}`:          "UTF-8",
		`{"name":`:                           "no JSON",
	} {
		var v outer
		err := game.ReadStrict([]byte(text), &v)
		if why == "" && err != nil || why != "" && (err == nil || !strings.Contains(err.Error(), why)) {
			t.Errorf("%s: %v, want %q", text, err, why)
		}
	}
}
