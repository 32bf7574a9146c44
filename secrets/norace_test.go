//go:build !race

package secrets

const racing = false
