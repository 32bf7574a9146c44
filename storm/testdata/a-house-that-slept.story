# While the process was stopped nobody can have seen that it is his turn: he is called.
seed 140 disk false real false old false
ben2 act 174083
ben2 act 463091
people still 991647
eve act 295889
people vote 1046825
ben act 422560
house pause 997708
people still 146547
