package push

var (
	IsOutside = isOutside
	Outside   = outside
	SealBy    = sealBy
	ErrInside = errInside
)
