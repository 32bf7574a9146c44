//go:build race

package secrets

// racing: one looks for races, which takes many times as long.
const racing = true
