package push

var (
	IsOutside = isOutside
	SealBy    = sealBy
	ErrInside = errInside
)
