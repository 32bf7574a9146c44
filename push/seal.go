package push

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/url"
	"slices"
	"time"
)

// How a message is encrypted (RFC 8291, with the one record of RFC 8188 that it asks for). Whatever it says it is as long as any other.
const (
	authSize   = 16
	saltSize   = 16
	pointSize  = 65
	recordSize = 4096
	textSize   = 1024 // with the byte that ends a text, and what fills it up
	// LongestText is how long a text may be, in bytes.
	LongestText = textSize - 1
)

// seal is what a service is given to pass on. Nobody reads it but the browser.
func seal(to Subscription, text []byte, random io.Reader) ([]byte, error) {
	drawn := make([]byte, saltSize+32)
	if _, err := io.ReadFull(random, drawn); err != nil {
		return nil, err
	}
	once, err := ecdh.P256().NewPrivateKey(drawn[saltSize:])
	if err != nil {
		return nil, err // one in 2³² is none: the next try draws another
	}
	return sealBy(to, text, textSize, drawn[:saltSize], once)
}

// sealBy is seal with a key that is used once, for a text that is filled up to a size.
func sealBy(to Subscription, text []byte, size int, salt []byte, once *ecdh.PrivateKey) ([]byte, error) {
	if len(text) >= size {
		return nil, fmt.Errorf("a message has at most %d bytes, and not %d", size-1, len(text))
	}
	browser, err := ecdh.P256().NewPublicKey(to.Key)
	if err != nil {
		return nil, err
	}
	shared, err := once.ECDH(browser)
	if err != nil {
		return nil, err
	}
	public := once.PublicKey().Bytes()
	key, nonce, err := keys(shared, to, public, salt)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	head := binary.BigEndian.AppendUint32(slices.Clone(salt), recordSize)
	head = append(append(head, pointSize), public...)
	filled := append(slices.Clone(text), 2)
	filled = append(filled, bytes.Repeat([]byte{0}, size-len(filled))...)
	return gcm.Seal(head, nonce, filled, nil), nil
}

// keys are that of the record, and its nonce (RFC 8291, 3.4).
func keys(shared []byte, to Subscription, public, salt []byte) (key, nonce []byte, err error) {
	info := slices.Concat([]byte("WebPush: info\x00"), to.Key, public)
	input, err := hkdf.Key(sha256.New, shared, to.Auth, string(info), 32)
	if err != nil {
		return nil, nil, err
	}
	if key, err = hkdf.Key(sha256.New, input, salt, "Content-Encoding: aes128gcm\x00", 16); err != nil {
		return nil, nil, err
	}
	nonce, err = hkdf.Key(sha256.New, input, salt, "Content-Encoding: nonce\x00", 12)
	return key, nonce, err
}

// A houseKey is by what services know the house again (RFC 8292). It follows from a key that marks cookies, so there is nothing more to be
// kept, or lost.
type houseKey struct {
	private *ecdsa.PrivateKey
	public  []byte
}

func keyOf(secret []byte) (k houseKey) {
	for n := 0; ; n++ { // one in 2³² is no key
		drawn, err := hkdf.Key(sha256.New, secret, nil, fmt.Sprint("caveau: the key for push services, ", n), 32)
		if err == nil {
			k.private, err = ecdsa.ParseRawPrivateKey(elliptic.P256(), drawn)
		}
		if err == nil {
			k.public, err = k.private.PublicKey.Bytes()
		}
		if err == nil {
			return k
		}
	}
}

// keyFor is the key that a subscription was made for.
func (s *Sender) keyFor(to Subscription) (k houseKey, has bool) {
	i := slices.IndexFunc(s.keys, func(k houseKey) bool { return bytes.Equal(k.public, to.House) })
	if i < 0 {
		return k, false
	}
	return s.keys[i], true
}

// vouchTime is how long the house's word is good; services refuse one that is good for more than a day.
const vouchTime = 12 * time.Hour

// vouch is what the house shows a service. Its signature follows from what it signs (RFC 6979), without chance.
func (k houseKey) vouch(to *url.URL, origin string, now time.Time) string {
	claims := map[string]any{"aud": to.Scheme + "://" + to.Host, "exp": now.Add(vouchTime).Unix()}
	if u, err := url.Parse(origin); err == nil && u.Scheme == "https" {
		claims["sub"] = origin
	}
	said, _ := json.Marshal(claims) // a map of texts and a number always can be
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + base64.RawURLEncoding.EncodeToString(said)
	return "vapid t=" + text + "." + base64.RawURLEncoding.EncodeToString(k.sign(text)) + ", k=" + base64.RawURLEncoding.EncodeToString(k.public)
}

// sign is a signature as two numbers of 32 bytes (RFC 7518, 3.4).
func (k houseKey) sign(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	signed, err := k.private.Sign(nil, sum[:], crypto.SHA256)
	var both struct{ R, S *big.Int }
	if err == nil {
		_, err = asn1.Unmarshal(signed, &both)
	}
	if err != nil {
		panic("push: a good key signs nothing: " + err.Error())
	}
	return append(both.R.FillBytes(make([]byte, 32)), both.S.FillBytes(make([]byte, 32))...)
}
