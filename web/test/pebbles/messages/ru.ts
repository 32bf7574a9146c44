import type { Message } from '../../../src/messages/format';
import type { en } from './en';

export const ru: Record<keyof typeof en, Message> = {
  name: 'Камешки',
  hint: 'Игра для проверок: кладите камешки вверх числом или вниз.',
  'aid.none.hint': 'Помните свои закрытые камешки.',
  'aid.marks.hint': 'Так же.',
  'aid.all.hint': 'Так же.',
  'option.hand': 'Сколько камешков у каждого?',
  'option.hand.usual': 'Три',
  'option.hand.is': {
    one: '{n} камешек у каждого',
    few: '{n} камешка у каждого',
    many: '{n} камешков у каждого',
    other: '{n} камешка у каждого',
  },
  'ask.lay': 'Ваш ход: положите камешек.',
  'wait.lay': '{name} кладёт камешек.',
  show: 'Показать {n}',
  hide: 'Спрятать {n}',
  'say.show': '{name} показывает {what}.',
  'say.hide': '{name} кладёт камешек вниз числом.',
  'say.hide.known': '{name} кладёт камешек вниз числом. Знаете только вы: {what}.',
  'say.reveal': '{name} открывает {what}: {n}.',
  'say.win': {
    one: '{name}: победа, {n} очко.',
    few: '{name}: победа, {n} очка.',
    many: '{name}: победа, {n} очков.',
    other: '{name}: победа, {n} очка.',
  },
  'row.of': 'Камешки {name}: {up}; закрыто: {down}; в руке: {held}',
  score: { one: '{name}: {n} очко', few: '{name}: {n} очка', many: '{name}: {n} очков', other: '{name}: {n} очка' },
  won: 'Вы победили!',
  'rules.aim': 'Открытый камешек стоит своё число, закрытый — вдвое, если никто не показал такого же.',
  'key.show': 'показать камешек на этом месте в руке',
  'story.rises': 'Больше очков',
  'deed.hide': 'Спрятано',
};
