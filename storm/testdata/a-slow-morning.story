# The log is slow when the house opens; that is no time in which it was closed.
seed 1712158479522 disk false real false old false
eve2 dial 29292
eve2 act 323451
ben2 act 514285
eve dial 742957
ben2 act 309670
ben2 act 776219
eve act 1028195
log slow 794183
eve act 33775
eve act 811308
house kill 516437
ana act 107284
ana act 84312
dan act 348177
dan act 137751
time wait 170122
eve act 123909
