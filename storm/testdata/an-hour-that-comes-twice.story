# The machine's clock is set back by an hour; nobody waits for it.
seed 1 disk false real false old false
ana act 277741
ana act 782039
time set 188272
