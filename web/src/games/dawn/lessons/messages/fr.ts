import type { en } from './en';
import type { Message } from '../../../../messages/format';

export const fr: Record<keyof typeof en, Message> = {
  'what.2004': 'Ouvrir des caveaux, coucher ses vampires et retenir ce qu’on a vu.',
  'what.rucola':
    'Les nouveautés : le comte, qui te garde un caveau, et les chauves-souris. Commence par le jeu de base.',
  'what.2017': 'Ce qui change : continuer après une réussite, et se méfier du caveau tout juste ouvert.',

  'base.welcome':
    'Bonsoir ! Tes vampires veulent être au lit avant l’aube. Le premier dont la rangée est vide a gagné.',
  'base.row': 'Voici ta rangée. Seuls comptent les deux bouts : rouge à gauche, jaune à droite.',
  'base.open': 'Sous chaque couvercle se cache une couleur. Ouvre le caveau qui brille : c3.',
  'base.fits': 'Un couvercle rouge, et un rouge au bout : au lit ! Tu peux donc continuer. Ouvre f2.',
  'base.leave':
    'Vert ne va à aucun bout : ton tour est fini. Laisse le caveau libre, mais retiens-le : un vert attend derrière ton jaune !',
  'base.watch': 'Le couvercle s’est refermé. Aux autres de jouer : regarde bien ce qu’ils ouvrent !',
  'base.garlic': '{B} y a mis de l’ail. Qui ouvre ce caveau reçoit un vampire de plus. N’y touche pas !',
  'base.sleeper': 'Au tour de {C}. Aïe, elle a oublié où dort ton vampire rouge…',
  'base.stake': 'Réveiller un dormeur coûte un piquet. Au troisième, chacun te donne un vampire. À toi : ouvre b2.',
  'base.remember': 'Le jaune est au lit. Le vert est maintenant au bout, et tu as vu un couvercle vert. Où était-ce ?',
  'base.stop': 'C’était là : tout l’art est de s’en souvenir ! S’arrêter à temps ne coûte rien. Finis ton tour.',
  'base.others': 'Les autres jouent. On entend trottiner…',
  'base.plague': 'Un rat ! Dans une plaie, chacun à son tour peut ouvrir les caveaux autour de lui. À toi : ouvre c7.',
  'base.pass': 'Le bleu est au lit aussi. Tu pourrais continuer autour du rat, mais c’est assez : passe.',

  'count.open':
    'Ici, les couvercles restent ouverts jusqu’à la fin du tour. Trouve trois lits en un tour, et quelqu’un viendra ! Ouvre c3.',
  'count.stays': 'Le rouge est au lit, et le couvercle reste ouvert. Continue : ouvre f2.',
  'count.third': 'Deux ! Encore un : ouvre b7.',
  'count.comes': 'Trois en un tour : le comte Rucola vient chez toi ! Finis ton tour, puis tu pourras le placer.',
  'count.put':
    'Choisis un caveau que tu crois libre. Personne ne peut l’ouvrir tant que le comte est dessus. Place-le en d7.',
  'count.others': 'À {B} et {C} de jouer. Le caveau du comte leur est interdit.',
  'count.lay':
    'Il est resté libre : couche là un vampire d’un bout, de n’importe quelle couleur. Prends celui de gauche.',
  'count.moves': 'Maintenant, le comte passe au quartier suivant. Place-le en g7.',
  'count.bat':
    'Puis c’est ton tour. Au lieu d’ouvrir un caveau, tu peux dire « Il est libre » et y poser une chauve-souris. Touche la chauve-souris, puis b2.',
  'count.true':
    '{C} en doutait, mais il est bien libre ! Elle prend un piquet, et tu y couches qui tu veux. Prends celui de droite.',

  'dance.open': 'On joue comme au jeu de base. Ouvre c3.',
  'dance.on': 'Le rouge est au lit. Ici, on ne s’arrête pas après une réussite : il faut continuer. Ouvre f2.',
  'dance.leave': 'Vert ne va à personne. Laisse le caveau libre.',
  'dance.watch': 'À {B} de jouer. Regarde quel caveau il ouvre.',
  'dance.again': 'Le dernier caveau ouvert est dangereux pour le joueur suivant. Mais {C} en a envie…',
  'dance.stake': 'Elle n’y a rien mis : cela coûte un piquet. Évite le caveau tout juste ouvert ! Ouvre c6.',
  'dance.rat': 'Un rat ! Ici, la plaie est pour toi seul : personne d’autre n’ouvre autour de lui. Ouvre b7.',
  'dance.pass': 'Le jaune est au lit. Dans une plaie, on peut s’arrêter après une réussite : passe.',
};
