import type { Vocabulary } from './vocabulary.js';

export const fr: Vocabulary = {
  hesitations: 'euh heu hein ouais hum hm hmm mmh mm ah oh eh hein bah ben beh pff bof hé',
  answers:
    "oui non si ouais ok okay d'accord voilà exactement absolument effectivement parfaitement évidemment bien bon certes tout-à-fait justement jamais",
  openers:
    'et mais alors donc enfin ensuite puis or bref écoutez écoute attendez tenez allez eh maintenant franchement justement effectivement évidemment car',
  asides: [
    'vous savez',
    'tu sais',
    'vous voyez',
    'tu vois',
    'je veux dire',
    'comment dire',
    'si vous voulez',
    'en fait',
    'en effet',
    'bien sûr',
    'quand même',
    "d'ailleurs",
    'du coup',
    'par contre',
    'eh bien',
    'tout à fait',
    'bien entendu',
    'à mon avis',
    'entre guillemets',
    'disons',
    'je crois',
    'au fond',
    'permettez-moi',
    'tout de même',
    'en réalité',
  ],
  anaphora:
    "il elle ils elles ça cela ce ceci celui celle ceux celles lui leur son sa ses leurs c'est c'était ce'st qu'il qu'elle qui dont lequel laquelle l'un celui-ci celle-ci ceux-ci y en cette ces",
  standAlone: [
    'il y',
    'il faut',
    'il faudra',
    'il faudrait',
    'il est',
    "c'est pourquoi",
    'il existe',
    "il s'agit",
    "c'est la",
    "c'est le",
  ],
  casual:
    "je tu vous moi toi votre vos mon ma mes j'ai j'étais j'avais ça c'est oui non ouais bon ben bah alors voilà euh hein enfin quoi truc trucs chose choses merci bonjour bonsoir madame monsieur pardon écoutez attendez dis dites dit disais vois voyez sais savez crois pense veux voulez laissez-moi permettez laissez répondre parole",
  cues: "décider décision proposer proposition mesure important essentiel principal objectif but problème question enjeu solution raison conclusion résumer résultat projet plan nécessaire falloir devoir premier second enfin aujourd'hui parce donc réforme créer souhaiter vouloir permettre engager priorité défendre supprimer augmenter réduire",
  subjects: 'je tu il elle on nous vous ils elles',
  contractions: "c'est j'ai j'étais j'avais n'est c'était qu'il qu'elle qu'on qu'ils d'est s'est m'est t'es",
  demonstratives: 'ce cela ça ceci celui celle ceux celles voilà voici ci là',
  determiners:
    'le la les un une des du au aux ce cette ces cet mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs chaque quelque quelques aucun aucune',
  prepositions:
    "de à en dans pour par sur avec sans sous entre vers chez depuis pendant contre jusque jusqu'à avant après dès selon comme que d'un d'une",
  verbs:
    "est sont était étaient sera seront serait ai as a avons avez ont avait avaient aura auront aurait suis es sommes êtes fait font faire peut peuvent pouvez peux pourrait veut veux voulez veulent doit doivent devez faut va vont vais allez allons dit dis dites sait sais savez pense crois être avoir aller n'est n'a n'ai n'ont n'avez n'était s'est y",
  coordinators: 'et ou ni',
  contrasts: 'mais donc alors car or',
  subordinators: "parce puisque si quand lorsque comme pendant tandis alors que qu'on afin bien",
  interrogatives: 'qui quoi où comment pourquoi combien quel quelle quels quelles lequel laquelle dont',
  adverbs:
    "maintenant aujourd'hui ensuite puis enfin d'abord premièrement deuxièmement aussi ainsi cependant pourtant toutefois hier demain ici finalement",
  degrees:
    'ne pas plus très trop assez bien peu aussi encore déjà toujours jamais même tout tous toute toutes moins beaucoup si vraiment point rien',
  objects: 'me te se lui leur moi toi eux y en',
  quantifiers:
    'un deux trois quatre cinq six sept huit neuf dix vingt cent mille plusieurs certains certaines tous autre autres',
  courtesies:
    'merci remercier bienvenue bonjour bonsoir honorable collègue abonner abonnez abonnés chaîne sponsor sponsorisé newsletter notification cliquer cliquez lien description commentaire commentaires vidéo pouce',
  titles: 'madame monsieur mme mesdames messieurs mademoiselle',
  hanging:
    "le la les un une des du de d'un d'une au aux et ou mais que qui dont où si pour par avec sans dans quand lorsque parce puisque comme ne mon ma mes son sa ses notre votre leur leurs très qu' sur entre ce cette ces",
  doubles: 'nous vous',
  abbreviations:
    'm mm mme mlle mr dr pr st ste etc p pp art no vol éd cf av apr env fig min max janv févr juil sept oct nov déc',
  questions: [
    'est-ce que',
    "est-ce qu'il",
    'êtes-vous',
    'avez-vous',
    'pouvez-vous',
    'voulez-vous',
    'savez-vous',
    'faut-il',
    'peut-on',
    'y a-t-il',
    'que faites-vous',
    'pourquoi est-ce',
    'comment est-ce',
    'quel est',
    'quelle est',
    'quels sont',
    'quelles sont',
  ],
  capitals:
    'France Paris Europe Allemagne Italie Espagne Portugal Brésil Chine Inde Japon Afrique Amérique Asie Canada Internet État',
};
