# While it could not be noted that the process was stopped time stood still; when it could be the table was due to be put away, and did not know.
seed 349 disk false real true old false
people go 193877
ben act 421292
time wait 484993
house pause 602071
