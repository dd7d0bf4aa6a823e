import type { Vocabulary } from './vocabulary.js';

// prettier-ignore
export const de: Vocabulary = {
  hesitations: 'äh ähm ehm öh öhm hm hmm mhm mm',
  answers: 'ja nein jo jep okay ok gut genau klar richtig super stimmt prima sicher natürlich doch na nö',
  openers: 'okay ok ach oh ah also und naja na so aber dann denn oder jetzt eben halt übrigens jedenfalls eigentlich tja',
  anaphora:
    'er sie es das dies diese dieser dieses diesen diesem ihm ihr ihnen ihn sein seine seinen seiner ihre ' +
    'ihren ihrer dessen deren dort dabei damit dazu dadurch darauf daraus darin davon dafür dagegen darüber ' +
    'daher deshalb deswegen hier solche solcher welche erstere letztere ebenso außerdem auch hierbei hierzu',
  standAlone:
    'es gibt|es gab|es geht|sie haben|hier ist|es ist wichtig|heute ist|das thema|es ist|es wird|es war|' +
    'es gilt|es kommt|es lohnt|hier sind|in diesem',
  announcements:
    'heute geht|heute möchte|heute zeige|heute sprechen|heute schauen|heute reden|heute will|in diesem video|' +
    'in diesem vortrag|in dieser folge|ich zeige euch|ich möchte ihnen|davon will ich|es geht um|unser thema|' +
    'das thema',
  casual:
    'ich du wir mich mir dich dir uns mein meine dein deine ja nein ne okay halt eben mal schon doch also ' +
    'naja irgendwie quasi sozusagen eigentlich vielleicht glaub glaube meine weiß denke sage sagen gesagt ' +
    'hallo danke bitte tschüss super cool ding dinge leute gucken guck schau kriegen äh ähm hm genau klar ' +
    'ganz einfach',
  cues:
    'wichtig haupt wesentlich ziel problem frage lösung ergebnis grund zusammenfassung zusammenfassen fazit ' +
    'schluss vorschlag vorschlagen entscheiden entscheidung beschließen plan müssen notwendig erstens ' +
    'zweitens schließlich heute bekannt gelten bedeuten heißen nennen bezeichnen bestehen gehören dienen ' +
    'verwenden entstehen',
  subjects: 'ich du er sie es wir ihr man',
  contractions: "ist's geht's gibt's ich's",
  demonstratives: 'das dies diese dieser dieses dort hier da',
  determiners:
    'der die das den dem des ein eine einen einem einer eines kein keine keinen mein meine dein sein seine ' +
    'ihr ihre unser unsere jeder jede jedes alle',
  prepositions:
    'in an auf mit von zu für bei aus nach über unter vor durch um gegen ohne zwischen seit während wegen ' +
    'trotz bis ab am im zum zur vom beim ins ans als wie pro',
  verbs:
    'ist sind war waren bin bist sei wird werden wurde wurden worden hat haben hatte hatten habe kann können ' +
    'konnte konnten muss müssen musste soll sollen sollte will wollen wollte darf dürfen mag möchte möchten ' +
    'würde würden wäre wären hätte hätten geht gibt gab macht machen kommt kommen sagt sagte gehört heißt ' +
    'liegt steht lebt leben bleibt lässt findet finden',
  coordinators: 'und oder sowie bzw',
  contrasts: 'aber sondern doch denn jedoch also',
  subordinators: 'dass weil wenn ob obwohl während bevor nachdem damit falls sodass indem seitdem',
  interrogatives: 'was wer wen wem wie wo warum wann woher wohin welche welcher welches',
  adverbs:
    'dann jetzt nun heute auch außerdem daher deshalb deswegen zuerst danach später schließlich früher ' +
    'zunächst meist meistens oft manchmal dabei dazu so',
  degrees:
    'nicht sehr nur noch schon immer nie ganz etwas mehr viel viele wenig weniger besonders etwa rund fast ' +
    'sogar nur zu kaum ziemlich',
  greetings:
    'hallo hi moin servus willkommen tschüss wiedersehen danke dank danken tschau zuschauen zuhören',
  formulas:
    "guten tag|guten morgen|guten abend|gute nacht|meine damen und herren|los geht's|macht's gut|" +
    'bis zum nächsten|bis dann|bis bald|wir sehen uns|' +
    'kurz werbung|kurze werbung|daumen nach|fünf sternen|meiner webseite|in der beschreibung|folgt mir',
  media:
    'kanal video videobeschreibung abonnieren abonniert abo abos kommentar kommentare kommentieren daumen ' +
    'glocke benachrichtigung beschreibung link links folge episode podcast newsletter instagram twitter ' +
    'facebook tiktok patreon youtube playlist zuschauer',
  promotion:
    'sponsor gesponsert werbung code rabatt rabattcode gutschein gratis kostenlos kostenlose ' +
    'angebot aktion anmelden meldet',
  offers:
    'prozent rabatt|euro rabatt|punkt de slash|punkt com slash|punkt de schrägstrich|' +
    'punkt com schrägstrich|tage kostenlos|monate kostenlos|monat kostenlos|tage gratis|monate gratis|' +
    'sponsor dieses|unterstützt von|gesponsert von|präsentiert von|in eigener sache|mit dem rabattcode|' +
    'mit dem gutscheincode',
  addressees:
    'ihr euch euer eure euren eurer du dir dich dein deine leute zusammen damen herren sie ihnen ihre ihrer ' +
    'mir mich meinem unser',
  doubles: 'die der das den dem sie ihr',
  questions:
    'haben sie|hast du|kannst du|können sie|können wir|ist das|gibt es|sind sie|wollen wir|was ist|wie geht|' +
    'wie viele|warum ist|wo ist|wer ist',
};
