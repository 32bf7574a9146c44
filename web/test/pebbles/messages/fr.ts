import type { Message } from '../../../src/messages/format';
import type { en } from './en';

export const fr: Record<keyof typeof en, Message> = {
  name: 'Cailloux',
  hint: 'Un jeu pour les tests : pose tes cailloux face visible ou face cachée.',
  'aid.none.hint': 'À toi de te souvenir de tes cailloux cachés.',
  'aid.marks.hint': 'De même.',
  'aid.all.hint': 'De même.',
  'option.hand': 'Combien de cailloux chacun ?',
  'option.hand.usual': 'Trois',
  'option.hand.is': { one: '{n} caillou chacun', many: '{n} de cailloux chacun', other: '{n} cailloux chacun' },
  'ask.lay': 'À toi : pose un caillou.',
  'wait.lay': '{name} pose un caillou.',
  show: 'Montrer {n}',
  hide: 'Cacher {n}',
  'say.show': '{name} montre {what}.',
  'say.hide': '{name} pose un caillou face cachée.',
  'say.hide.known': '{name} pose un caillou face cachée. Toi seul le sais : {what}.',
  'say.reveal': '{name} retourne {what} : {n}.',
  'say.win': {
    one: '{name} gagne avec {n} point.',
    many: '{name} gagne avec {n} de points.',
    other: '{name} gagne avec {n} points.',
  },
  'row.of': 'Cailloux de {name} : {up} ; face cachée : {down} ; en main : {held}',
  score: { one: '{name} : {n} point', many: '{name} : {n} de points', other: '{name} : {n} points' },
  won: 'Tu gagnes !',
  'rules.aim': 'Face visible, un caillou vaut son nombre ; face cachée, le double, si personne n’en montre un pareil.',
  'key.show': 'montrer le caillou à cette place de ta main',
  'story.rises': 'Plus de points',
  'deed.hide': 'Cachés',
};
