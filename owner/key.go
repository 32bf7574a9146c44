package owner

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// A key opens the page once. It is a moment, and a mark that only the key of the house makes: nothing is stored for it, and whoever may read
// that file is the owner.

// KeyTime is how long a key is good.
const KeyTime = 10 * time.Minute

// ahead is how far the clock of whoever made the key may go before that of the house.
const ahead = time.Minute

// Key is a key that is good from now on.
func Key(secret []byte, now time.Time) string {
	moment := strconv.FormatInt(now.UnixNano(), 36)
	return moment + "." + mark(secret, "owner", moment)
}

// made is when a key was made; false if it is none of ours, or no longer good.
func made(secret []byte, key string, now time.Time) (at time.Time, ok bool) {
	moment, marked, _ := strings.Cut(key, ".")
	nano, err := strconv.ParseInt(moment, 36, 64)
	if err != nil || !hmac.Equal([]byte(marked), []byte(mark(secret, "owner", moment))) {
		return at, false
	}
	at = time.Unix(0, nano)
	return at, now.Sub(at) < KeyTime && at.Sub(now) < ahead
}

// mark is what nobody but the house can write under a text of that kind.
func mark(secret []byte, kind, text string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(kind + "\n" + text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
