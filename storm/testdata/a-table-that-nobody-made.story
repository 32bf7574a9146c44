# The log keeps a table that it says it has not; it is to be woken all the same.
seed 7 disk true real false old false
ben dial 204346
eve act 467919
dan act 153609
ben act 333911
eve act 927936
log lose 191424
ben act 154068
ben act 430334
dan2 act 388970
dan act 902972
ben act 347420
dan2 act 405372
eve act 825960
dan act 521157
time wait 998046
ben act 286317
