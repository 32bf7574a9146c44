package wire

import "testing"

// An answer is written by hand, as encoding/json would write it.
func TestDone(t *testing.T) {
	for want, got := range map[string][]byte{
		`{"re":"7","ok":true,"seq":12}`: Done("7", 12),
		`{"re":"\"\u003c","ok":true}`:   Done(`"<`, 0),
	} {
		if string(got) != want {
			t.Errorf("it is %s, not %s", got, want)
		}
	}
}
