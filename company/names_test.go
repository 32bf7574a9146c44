package company_test

import (
	"reflect"
	"testing"

	"caveau/company"
	"caveau/game"
)

// What is told of those who sit there, and of what they are asked, hangs on what they are called, and not on who they are: nobody is known again by it who has another name now, or none.
func TestNobodyIsKnownByHisSeat(t *testing.T) {
	called := func(ana, ben, cleo string) *company.Company {
		c := &company.Company{Founder: ana, Chairs: company.Chairs{{Guest: ana}, {Guest: ben}, {Bot: "first"}, {Guest: cleo}}, Proposal: &company.Proposal{Do: company.ToFree, By: ana, Seat: 1}}
		for guest, name := range map[string]string{ana: "Ana", ben: "Ben", cleo: ""} {
			c.Names.Heard(guest, name)
			c.Names.Call(guest, name)
		}
		return c
	}
	one, other := called("1", "2", "3"), called("0123456789abcdef", "fedcba9876543210", "aaaa")
	all := game.Seats(0b1011)
	if a, b := one.Told(all, true), other.Told(all, true); !reflect.DeepEqual(a, b) {
		t.Errorf("it is told %+v of some, and %+v of others of the same names", a, b)
	}
	if a, b := one.Signs(), other.Signs(); !reflect.DeepEqual(a, b) {
		t.Errorf("a sign says %+v of some, and %+v of others of the same names", a, b)
	}
	if a, b := one.Asks(all), other.Asks(all); !reflect.DeepEqual(a, b) {
		t.Errorf("they are asked %+v, and others of the same names %+v", a, b)
	}
}
