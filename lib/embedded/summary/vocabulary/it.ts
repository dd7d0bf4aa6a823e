import type { Vocabulary } from './vocabulary.js';

// prettier-ignore
export const it: Vocabulary = {
  hesitations: 'ehm em mm mmm hm uh um uhm',
  answers: 'sì no ok okay va bene certo esatto esattamente giusto perfetto ecco appunto bene prego',
  openers:
    'beh mah ah oh ok e allora quindi ma dunque beh poi adesso ora insomma guarda guardate o cioè comunque però infatti così',
  anaphora:
    'esso essa essi esse lui lei loro egli ella ciò questo questa questi queste quello quella quelli quelle ' +
    'suo sua suoi sue quale quali lì là tale tali quest\'ultimo quest\'ultima è erano fu furono',
  standAlone:
    "questo libro|questa settimana|questo video|questa mattina|c'è un|ci sono|questo capitolo|c'è|questa sera|" +
    "quest'anno|è importante|è possibile|è necessario|esiste|esistono|basta|bisogna|serve|servono|quello che|quella che|quelli che|quelle che",
  announcements:
    'oggi parliamo|oggi vediamo|oggi vi|oggi voglio|oggi parleremo|in questo video|in questa puntata|' +
    'vi mostro|vi spiego|voglio parlare|parliamo di|il tema',
  casual:
    'io tu voi mi ti mio mia tuo tua noi ci vi sì ok allora beh ecco cioè insomma guarda credo penso dico ' +
    'dice dici sai cosa cose roba ragazzi grazie ciao salve bello vado va tipo',
  cues:
    'importante principale essenziale obiettivo scopo problema questione soluzione risultato ragione ' +
    'conclusione riassumere riassunto decidere decisione proporre proposta piano necessario dovere primo ' +
    'secondo infine oggi perché permettere consistere significare',
  subjects: 'io tu lui lei noi voi loro egli ella esso',
  contractions: "c'è c'era c'erano cos'è com'è dov'è",
  demonstratives: 'questo questa questi queste quello quella quelli quelle ciò qui qua lì là ecco',
  determiners:
    'il lo la i gli le un uno una mio mia tuo tua suo sua nostro nostra vostro vostra ogni qualche alcuni ' +
    'alcune nessun nessuna al allo alla ai agli alle dal dalla dei degli delle del della dello nel nella nei ' +
    'nelle sul sulla',
  prepositions:
    'di a da in con su per tra fra senza sopra sotto verso contro durante mediante secondo come dopo prima',
  verbs:
    'è sono era erano fu furono essere stato stata ho hai ha abbiamo avete hanno aveva avevano avere può ' +
    'possono posso possiamo potere deve devono dobbiamo va vanno vado andiamo fa fanno faccio fare dice ' +
    'dicono vuole vogliono voglio sa credo sarà saranno sarebbe sia sei siamo siete',
  coordinators: 'e ed o oppure né',
  contrasts: 'ma però quindi allora dunque',
  subordinators: 'che perché se quando mentre dove affinché poiché',
  interrogatives: 'chi cosa quale quali come dove quando quanto quanti cui',
  adverbs: 'adesso ora oggi poi dopo inoltre anche così prima infine domani ieri sempre infatti',
  degrees: 'non molto molti più meno poco tanto quasi solo già ancora mai abbastanza troppo tutto',
  greetings:
    'ciao salve buongiorno buonasera benvenuti benvenuto bentornati bentornato grazie arrivederci',
  formulas:
    'buona sera|buona giornata|buona serata|a presto|alla prossima|ci vediamo|signore e signori|a tutti|' +
    'cominciamo subito|' +
    'mi piace|nei commenti|mio sito|in descrizione',
  media:
    'canale video iscriversi iscrivetevi iscrivervi iscriviti commento commenti like campanella notifica ' +
    'notifiche descrizione link episodio puntata podcast newsletter instagram twitter facebook tiktok patreon ' +
    'youtube playlist seguitemi seguiteci condividete condividi',
  promotion:
    'sponsor sponsorizzato offerto codice sconto coupon gratis gratuito offerta promozione sostenerci',
  offers:
    'per cento di sconto|percento di sconto|punto com slash|punto it slash|punto com barra|codice sconto|' +
    'codice promozionale|mesi gratis|mese gratis|giorni gratis|sponsorizzato da|sponsor di questo|' +
    'sponsor di oggi',
  addressees:
    'voi vi vostro vostra vostri vostre tu ti te tuo tua tutti tutte ragazzi amici signore signori mi mio ' +
    'miei mia ci nostro',
  doubles: '',
  questions: "che cosa|come si|qual è|quali sono|cos'è|dov'è|chi è|perché non",
};
