import type { Message } from '../../../../messages/format';

// {B} and {C} are the others at the table.
export const en = {
  'what.toc-toc-toc': 'Knock, open or keep the door shut, and remember who drew what.',

  'toc.welcome': 'It is Halloween, and you give a party. Here are your guests: each is one point. The best party wins.',
  'toc.hand': 'These cards are yours alone to see. There are guests among them, and troublemakers.',
  'toc.knock': 'Choose the ghost, and knock with it at {B}’s door. He does not know who it is.',
  'toc.mine': '{B} kept his door shut, so the ghost is your guest! Now he knocks at yours …',
  'toc.open': 'Whoever opens gets the card; whoever refuses gives it back. Is it a nice one? Be brave: open!',
  'toc.three':
    'A scarecrow: three points! Then {B} drew a card, for all to see: the hearse-taxi. Remember that! Now {C} …',
  'toc.refuse': '{C} is grinning. That looks like trouble: refuse!',
  'toc.musician':
    'It was a child: it scared her own guests away, over to you! Now your ghost musician: he doubles your ghosts. Knock with him at {C}’s door.',
  'toc.doubled': '{C} did not open, and your ghosts count double! But now {B} is coming …',
  'toc.remember': 'Everyone saw what {B} drew. Do you remember? Then you know whether to open.',
  'toc.choose':
    'It is the taxi that he drew: now it drives guests of his home. There are as many of each kind, so you choose: the ghosts.',
} satisfies Record<string, Message>;
