import type { Message } from '../../../../messages/format';

// {B} and {C} are the others at the table.
export const en = {
  'what.2004': 'Open graves, find a bed for your vampires, and remember what lies where.',
  'what.rucola': 'What is new: the Count who keeps a grave for you, and the bats. First learn the base game.',
  'what.2017': 'What is different: go on after a success, and beware of the grave that was just opened.',

  'base.welcome': 'Good evening! Your vampires want to be in bed before dawn. Whose row is empty first has won.',
  'base.row': 'This is your row. Only the two at its ends count: red on the left, yellow on the right.',
  'base.open': 'Every lid hides a colour. Open the grave that glows: c3.',
  'base.fits': 'A red lid, and red is at your end: he goes to bed! So you may go on. Open f2.',
  'base.leave':
    'Green fits neither end, so your turn is over. Leave the grave empty, but remember it: green waits behind your yellow one!',
  'base.watch': 'The lid is closed again. Now the others play. Watch closely what they open!',
  'base.garlic': '{B} put garlic in there. Whoever opens this grave is given one more vampire. Stay away!',
  'base.sleeper': 'Now {C} plays. Oh dear, she has forgotten where your red vampire sleeps …',
  'base.stake': 'Waking a sleeper costs a stake. Three stakes, and everyone gives you a vampire. Your turn: open b2.',
  'base.remember': 'Yellow is in bed. Now green is at your end, and you have seen a green lid. Where was it?',
  'base.stop': 'There it was: to remember is the whole art! Whoever stops in time loses nothing. End your turn.',
  'base.others': 'The others play. Something is scurrying about …',
  'base.plague': 'A rat! In a plague everyone may open graves around it, one after the other. Your go: open c7.',
  'base.pass': 'Blue is in bed too. You could open more around the rat, but you have done enough: pass.',

  'count.open': 'Here lids stay open until the turn is over. Find three beds in one turn, and somebody comes! Open c3.',
  'count.stays': 'Red is in bed, and the lid stays open. Go on: open f2.',
  'count.third': 'Two! One more: open b7.',
  'count.comes': 'Three in one turn: Count Rucola comes to you! End your turn, then you may place him.',
  'count.put': 'Choose a grave that you think is empty. Nobody may open it while he stands there. Put him on d7.',
  'count.others': 'Now {B} and {C} play. They cannot open the Count’s grave.',
  'count.lay': 'It is still empty: lay one of your end vampires there, whatever its colour. Take the left one.',
  'count.moves': 'Now the Count moves on to the next quarter. Put him on g7.',
  'count.bat':
    'Then your turn. Instead of opening a grave you may say “It is empty” and set a bat on it. Press the bat, then b2.',
  'count.true':
    '{C} did not believe you, but it is empty! She takes a stake, and you lay in whom you like. Take the right one.',

  'dance.open': 'You play as in the base game. Open c3.',
  'dance.on': 'Red is in bed. Here nobody stops after a success: you must go on. Open f2.',
  'dance.leave': 'Green fits nobody. Leave the grave empty.',
  'dance.watch': 'Now {B} plays. Look which grave he opens.',
  'dance.again': 'The grave that was opened last is dangerous for the next player. But {C} likes it …',
  'dance.stake': 'She put nothing in, and that costs a stake. A grave just opened is a bad choice! Open c6.',
  'dance.rat': 'A rat! Here the plague is yours alone: only you may open graves around it. Open b7.',
  'dance.pass': 'Yellow is in bed. In a plague you may stop after a success: pass.',
} satisfies Record<string, Message>;
