import type { en } from './en';
import type { Message } from '../../../../messages/format';

export const fr: Record<keyof typeof en, Message> = {
  'what.toc-toc-toc': 'Frapper, ouvrir ou refuser, et retenir qui a pioché quoi.',

  'toc.welcome':
    'C’est Halloween, et tu donnes une soirée. Voici tes invités : un point chacun. La meilleure soirée gagne.',
  'toc.hand': 'Ces cartes, toi seul les vois. Il y a là des invités, et des trouble-fête.',
  'toc.knock': 'Choisis le fantôme et frappe avec lui chez {B}. Il ne sait pas qui c’est.',
  'toc.mine': '{B} n’a pas ouvert : le fantôme est ton invité ! Maintenant, c’est lui qui frappe chez toi…',
  'toc.open': 'Qui ouvre reçoit la carte ; qui refuse la rend. Une bonne surprise ? Courage : ouvre !',
  'toc.three':
    'Un épouvantail : trois points ! Puis {B} a pioché, et tous l’ont vu : le taxi-corbillard. Retiens-le ! Au tour de {C}…',
  'toc.refuse': '{C} ricane. Cela sent les ennuis : refuse !',
  'toc.musician':
    'C’était l’enfant : il a fait fuir ses invités, et ils sont chez toi ! À ton fantôme musicien, qui double tes fantômes : frappe avec lui chez {C}.',
  'toc.doubled': '{C} n’a pas ouvert : tes fantômes comptent double ! Mais voici {B}…',
  'toc.remember': 'Tout le monde a vu ce que {B} a pioché. Tu t’en souviens ? Alors tu sais s’il faut ouvrir.',
  'toc.choose':
    'C’est le taxi qu’il a pioché : il emmène maintenant ses propres invités. Les deux types sont à égalité, tu choisis donc : les fantômes.',
};
