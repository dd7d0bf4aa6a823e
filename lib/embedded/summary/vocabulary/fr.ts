import type { Vocabulary } from './vocabulary.js';

// prettier-ignore
export const fr: Vocabulary = {
  hesitations: 'euh heu hum hm hmm mmh mm',
  answers:
    "oui non si ouais ok okay d'accord voilà exactement absolument effectivement parfaitement évidemment bien " +
    'bon certes tout-à-fait justement jamais',
  openers:
    'ouais ben bah bon oh ah et mais alors donc enfin ensuite puis or bref écoutez écoute attendez tenez allez eh maintenant ' +
    'franchement justement effectivement évidemment car',
  anaphora:
    "il elle ils elles ça cela ce ceci celui celle ceux celles lui leur son sa ses leurs c'est c'était ce'st " +
    "qu'il qu'elle qui dont lequel laquelle l'un celui-ci celle-ci ceux-ci cette ces cet",
  standAlone:
    "il y|il faut|il faudra|il faudrait|il est|c'est pourquoi|il existe|il s'agit|c'est la|c'est le|" +
    "il a fallu|il reste|il suffit|il vaut|cette année|cette semaine|cette vidéo|ce soir|ce matin|c'est en|" +
    "c'est à|ce qui|ce que|ce qu'on|ce qu'il|celui qui|celle qui|ceux qui|celui que|celle que",
  announcements:
    "aujourd'hui je|aujourd'hui nous|aujourd'hui on|dans cette vidéo|dans cet épisode|je vais vous|" +
    'on va parler|nous allons parler|je voudrais vous|je veux vous|le sujet|notre sujet',
  casual:
    "je tu vous moi toi votre vos mon ma mes j'ai j'étais j'avais ça c'est oui non ouais bon ben bah alors " +
    'voilà euh hein enfin quoi truc trucs chose choses merci bonjour bonsoir madame monsieur pardon écoutez ' +
    'attendez dis dites dit disais vois voyez sais savez crois pense veux voulez laissez-moi permettez ' +
    'laissez répondre parole',
  cues:
    'décider décision proposer proposition mesure important essentiel principal objectif but problème ' +
    'question enjeu solution raison conclusion résumer résultat projet plan nécessaire falloir devoir premier ' +
    "second enfin aujourd'hui parce donc réforme créer souhaiter vouloir permettre engager priorité défendre " +
    'supprimer augmenter réduire',
  subjects: 'je tu il elle on nous vous ils elles',
  contractions:
    "c'est j'ai j'étais j'avais n'est c'était qu'il qu'elle qu'on qu'ils d'est s'est m'est t'es",
  demonstratives: 'ce cela ça ceci celui celle ceux celles voilà voici ci là',
  determiners:
    'le la les un une des du au aux ce cette ces cet mon ma mes ton ta tes son sa ses notre nos votre vos ' +
    'leur leurs chaque quelque quelques aucun aucune',
  prepositions:
    "de à en dans pour par sur avec sans sous entre vers chez depuis pendant contre jusque jusqu'à avant " +
    "après dès selon comme que d'un d'une",
  verbs:
    'est sont était étaient sera seront serait ai as a avons avez ont avait avaient aura auront aurait suis ' +
    'es sommes êtes fait font faire peut peuvent pouvez peux pourrait veut veux voulez veulent doit doivent ' +
    "devez faut va vont vais allez allons dit dis dites sait sais savez pense crois être avoir aller n'est " +
    "n'a n'ai n'ont n'avez n'était s'est y",
  coordinators: 'et ou ni',
  contrasts: 'mais donc alors car or',
  subordinators: "parce puisque si quand lorsque tandis que qu'on afin",
  interrogatives: 'qui quoi où comment pourquoi combien quel quelle quels quelles lequel laquelle dont',
  adverbs:
    "maintenant aujourd'hui ensuite puis enfin d'abord premièrement deuxièmement aussi ainsi cependant " +
    'pourtant toutefois hier demain ici finalement',
  degrees:
    'ne pas plus très trop assez bien peu aussi encore déjà toujours jamais même tout tous toute toutes moins ' +
    'beaucoup si vraiment point rien',
  greetings: 'salut bonjour bonsoir bienvenue revoir merci remercie',
  formulas:
    'à bientôt|à la prochaine|à très vite|à très bientôt|au revoir|bonne soirée|bonne journée|' +
    "mesdames et messieurs|c'est parti|à la semaine prochaine|on se retrouve|" +
    'pouce bleu|mon site|en commentaire|juste en dessous|suivez-moi',
  media:
    'chaîne vidéo vidéos abonner abonnez abonnés commentaire commentaires pouce cloche notification ' +
    'notifications description lien liens épisode podcast newsletter instagram twitter facebook tiktok ' +
    'patreon tipeee youtube playlist suivez partagez like',
  promotion:
    'sponsor sponsorisé sponsorisée partenaire code réduction promo gratuit gratuite gratuitement offre ' +
    'inscrivez soutenir',
  offers:
    'pour cent de réduction|pour cent de remise|pourcent de réduction|point com slash|point fr slash|' +
    'code promo|mois gratuits|mois offerts|jours gratuits|sponsor de cette|sponsorisé par|sponsorisée par|' +
    'partenaire de cette',
  addressees:
    'vous votre vos tu te toi ton ta tes tous toutes monde amis mesdames messieurs moi nous notre',
  doubles: 'nous vous',
  questions:
    "est-ce que|est-ce qu'il|êtes-vous|avez-vous|pouvez-vous|voulez-vous|savez-vous|faut-il|peut-on|y a-t-il|" +
    'que faites-vous|pourquoi est-ce|comment est-ce|quel est|quelle est|quels sont|quelles sont',
};
