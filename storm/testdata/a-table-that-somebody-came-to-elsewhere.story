# Nobody has come to a table for long, and just when it is put away somebody sits down there, by another process.
seed 1712205679340 disk false real false old false
eve2 act 404509
eve2 act 386028
time wait 958549
log other 240292
time wait 80065
