import type { Language } from '../../text/languages.js';
import { stem } from '../../text/tokens.js';

/**
 * What the embedded summarizer knows about a language: words in lower case with straight apostrophes, separated by blanks, and phrases
 * separated by `|`. Nothing here is about a subject, a speaker or a text.
 */
interface Vocabulary {
  /** Sounds of thinking that are no words and no units: `mm` and `hm` are units, `Mm` is none. */
  hesitations: string;
  /** Articles, other words before nouns, and prepositions: a statement has many. */
  articles: string;
  /** Words of private talk. */
  casual: string;
  /**
   * Pronouns, and demonstratives with adverbs of place, that point back to something said before. Of English, German, French and Portuguese those that do so in
   * GUM and ParCorFull 2.0 more often than other words at their place.
   */
  pronouns: string;
  demonstratives: string;
  /** Phrases of greeting, thanks, farewell and calls to the audience. With the lists below, evidence of talk about the video itself. */
  greetings: string;
  /** Words of video platforms (`channel`, `subscribe`, `link`); compared by stem. */
  media: string;
  /** Words of advertising (`sponsor`, `code`, `discount`); compared by stem. */
  promotion: string;
  /** Phrases of advertisements that stand in no other sentence (`percent off`, `dot com slash`). */
  offers: string;
  /** Words with which somebody speaks to an audience. */
  addressees: string;
}

// prettier-ignore
const en: Vocabulary = {
  hesitations: 'um uh uhm umm uhh erm er hmm mmm Mm mm-hmm uh-huh mm-hm mhm uhhuh hmm-hmm huh-uh',
  articles:
    'the a an my your our his her its their every each some any no another of in on at to for with from by about into onto over under ' +
    'between through during without within against among across towards toward upon like as than per via near behind off out up down ' +
    'since until before after',
  casual:
    'i you me my mine your yours myself yourself yeah yep okay ok oh like just really actually basically gonna wanna gotta kinda sorta ' +
    'thing things stuff guy guys kind sort pretty maybe probably guess mean know think cool nice fun funny sorry thanks thank please ' +
    "right well so lot bit i'm i'd i'll i've you're you've you'd you'll don't didn't can't isn't that's it's there's what's let's he's " +
    "she's we're they're wasn't doesn't couldn't wouldn't won't whatever anyway hello hi bye um uh yes no hmm say said saying tell see " +
    'look looking got get getting something anything somebody someone somewhere ah hey wow huh',
  pronouns:
    "it that he she they him her them his its their it's it'll it'd he's he'll he'd she's she'll she'd they're they've they'll they'd " +
    "that's that'll",
  demonstratives:
    'this these those such',
  greetings:
    'hello|hi|hey|welcome|bye|goodbye|thanks|thank|cheers|good morning|good afternoon|good evening|good night|see you|take care|' +
    "ladies and gentlemen|that's it for|that's all for|stay tuned|let's get started|let's get into|let's jump|right back|" +
    'without further ado|like button|short break|thumbs up|apple podcasts|my website|our website|hear me|follow me',
  media:
    'channel video subscribe subscribing subscriber comment bell notification description link episode podcast newsletter instagram ' +
    'twitter facebook tiktok patreon discord youtube playlist upload viewer watching listening bio thumbs',
  promotion: 'sponsor sponsored sponsoring code discount coupon free trial offer promo affiliate affiliated',
  offers:
    'percent off|dot com slash|dot org slash|promo code|discount code|coupon code|months for free|days for free|month for free|' +
    "free trial|today's sponsor|our sponsor|sponsored by|sponsoring this|sponsor of this|brought to you by|quick word from|" +
    'affiliate links',
  addressees: "you your yours you're you'll you've everyone everybody guys folks ladies gentlemen me my",
};

// prettier-ignore
const pt: Vocabulary = {
  hesitations: 'hum hmm ahn uh',
  articles:
    'o a os as um uma uns umas meu minha teu tua seu sua seus suas nosso nossa nossos nossas cada algum alguma alguns algumas nenhum ' +
    'nenhuma ao à aos às do da dos das no na nos nas pelo pela pelos pelas num numa de em com por para sem sobre entre até desde contra ' +
    'durante como ante sob após segundo pra pro',
  casual:
    'eu tu você vocês me te meu minha teu tua seu nós gente a-gente tá né aí então bom olha acho penso digo diz sabe coisa coisas cara ' +
    'pessoal obrigado obrigada oi olá tchau legal tipo vou vai beleza',
  pronouns:
    'ele ela eles elas seu sua seus suas dele dela deles delas lhe nele nela',
  demonstratives:
    'isto isso aquilo este esta estes estas esse essa esses essas aquele aquela aqueles aquelas tal disto disso daquilo deste ' +
    'desta destes destas desse dessa desses dessas neste nesta nestes nestas nesse nessa nesses nessas',
  greetings:
    'oi|olá|tchau|adeus|bem-vindo|bem-vindos|bem-vinda|obrigado|obrigada|abraço|beijo|bom dia|boa tarde|boa noite|até logo|' +
    'até a próxima|até o próximo|até à próxima|tudo bem|senhoras e senhores|vamos lá|até mais|o sininho|seu like|meu site|' +
    'nos comentários|na descrição',
  media:
    'canal vídeo vídeos inscrever inscreve inscreva comentário comentários like joinha sininho notificação notificações descrição link ' +
    'links episódio podcast newsletter instagram twitter facebook tiktok patreon youtube playlist segue siga compartilha compartilhe',
  promotion: 'patrocinado patrocinador patrocínio código desconto cupom grátis oferta promoção cadastre apoie',
  offers:
    'por cento de desconto|ponto com barra|com o cupom|cupom de desconto|código promocional|meses grátis|mês grátis|dias grátis|' +
    'patrocinado por|patrocina este|patrocinador deste|patrocinador de hoje|rapidinho da nossa|rapidinho do nosso',
  addressees:
    'você vocês te ti seu seus sua suas vos vosso todos todas gente pessoal amigos senhoras senhores me meu minha nos nosso',
};

// prettier-ignore
const es: Vocabulary = {
  hesitations: 'ehm em mmm uh um',
  articles:
    'el la los las un una unos unas lo mi mis tu tus su sus nuestro nuestra nuestros nuestras cada algún alguna algunos algunas ningún ' +
    'ninguna al del de a en con por para sin sobre entre hasta desde hacia según contra durante mediante tras como ante bajo',
  casual:
    'yo tú te me mi mis tu tus usted ustedes nos sí vale ok pues bueno oye mira creo pienso digo dices dice sabes cosa cosas tío tía ' +
    'gracias hola adiós claro eh o sea vamos voy va guay genial',
  pronouns:
    'él ella ellos ellas lo le les su sus',
  demonstratives:
    'esto eso aquello este esta estos estas ese esa esos esas aquel aquella aquellos aquellas ésta éste éstos éstas dicho dicha ' +
    'ello',
  greetings:
    'hola|adiós|bienvenido|bienvenidos|bienvenida|gracias|abrazo|beso|saludos|buenos días|buenas tardes|buenas noches|muy buenas|' +
    'hasta luego|hasta la próxima|hasta pronto|nos vemos|qué tal|señoras y señores|vamos allá|hasta la semana|me gusta|mi web|' +
    'en los comentarios|abajo en',
  media:
    'canal vídeo video suscribir suscríbete suscribirte suscribirse comentario comentarios like campanita notificación notificaciones ' +
    'descripción enlace enlaces link episodio podcast newsletter instagram twitter facebook tiktok patreon youtube sígueme síguenos ' +
    'comparte',
  promotion:
    'patrocinado patrocinador patrocina código descuento cupón gratis oferta promoción apúntate regístrate apoyarnos',
  offers:
    'por ciento de descuento|punto com barra|punto es barra|código de descuento|código promocional|meses gratis|mes gratis|días gratis|' +
    'patrocinado por|patrocina este|patrocinador de este|patrocinador de hoy',
  addressees:
    'tú te ti tu tus vosotros os vuestro vuestra ustedes usted su sus todos todas amigos chicos señoras señores me mi nos nuestro',
};

// prettier-ignore
const it: Vocabulary = {
  hesitations: 'ehm em mmm uh um uhm',
  articles:
    'il lo la i gli le un uno una mio mia tuo tua suo sua nostro nostra vostro vostra ogni qualche alcuni alcune nessun nessuna al allo ' +
    'alla ai agli alle dal dalla dei degli delle del della dello nel nella nei nelle sul sulla di a da in con su per tra fra senza ' +
    'sopra sotto verso contro durante mediante secondo come dopo prima',
  casual:
    'io tu voi mi ti mio mia tuo tua noi ci vi sì ok allora beh ecco cioè insomma guarda credo penso dico dice dici sai cosa cose roba ' +
    'ragazzi grazie ciao salve bello vado va tipo',
  pronouns:
    'esso essa essi esse lui lei loro egli ella suo sua suoi sue',
  demonstratives:
    "ciò questo questa questi queste quello quella quelli quelle tale tali quest'ultimo quest'ultima",
  greetings:
    'ciao|salve|buongiorno|buonasera|benvenuti|benvenuto|bentornati|bentornato|grazie|arrivederci|buona sera|buona giornata|' +
    'buona serata|a presto|alla prossima|ci vediamo|signore e signori|a tutti|cominciamo subito|mi piace|nei commenti|mio sito|' +
    'in descrizione',
  media:
    'canale video iscriversi iscrivetevi iscrivervi iscriviti commento commenti like campanella notifica notifiche descrizione link ' +
    'episodio puntata podcast newsletter instagram twitter facebook tiktok patreon youtube playlist seguitemi seguiteci condividete ' +
    'condividi',
  promotion: 'sponsor sponsorizzato offerto codice sconto coupon gratis gratuito offerta promozione sostenerci',
  offers:
    'per cento di sconto|percento di sconto|punto com slash|punto it slash|punto com barra|codice sconto|codice promozionale|' +
    'mesi gratis|mese gratis|giorni gratis|sponsorizzato da|sponsor di questo|sponsor di oggi',
  addressees:
    'voi vi vostro vostra vostri vostre tu ti te tuo tua tutti tutte ragazzi amici signore signori mi mio miei mia ci nostro',
};

// prettier-ignore
const de: Vocabulary = {
  hesitations: 'äh ähm ehm öh öhm hmm mhm',
  articles:
    'der die das den dem des ein eine einen einem einer eines kein keine keinen mein meine dein sein seine ihr ihre unser unsere jeder ' +
    'jede jedes alle in an auf mit von zu für bei aus nach über unter vor durch um gegen ohne zwischen seit während wegen trotz bis ab ' +
    'am im zum zur vom beim ins ans als wie pro',
  casual:
    'ich du wir mich mir dich dir uns mein meine dein deine ja nein ne okay halt eben mal schon doch also naja irgendwie quasi ' +
    'sozusagen eigentlich vielleicht glaub glaube meine weiß denke sage sagen gesagt hallo danke bitte tschüss super cool ding dinge ' +
    'leute gucken guck schau kriegen äh ähm hm genau klar ganz einfach',
  pronouns:
    'er sie das ihm ihnen ihn sein seine seinen seiner ihre ihren ihrer dessen deren',
  demonstratives:
    'dies diese dieser dieses diesen diesem solche solcher dort dabei damit dazu dadurch darauf daraus darin davon dafür ' +
    'dagegen darüber daher deshalb deswegen hierbei hierzu',
  greetings:
    'hallo|hi|moin|servus|willkommen|tschüss|wiedersehen|danke|dank|danken|tschau|zuschauen|zuhören|guten tag|guten morgen|guten abend|' +
    "gute nacht|meine damen und herren|los geht's|macht's gut|bis zum nächsten|bis dann|bis bald|wir sehen uns|kurz werbung|" +
    'kurze werbung|daumen nach|fünf sternen|meiner webseite|in der beschreibung|folgt mir',
  media:
    'kanal video videobeschreibung abonnieren abonniert abo abos kommentar kommentare kommentieren daumen glocke benachrichtigung ' +
    'beschreibung link links folge episode podcast newsletter instagram twitter facebook tiktok patreon youtube playlist zuschauer',
  promotion:
    'sponsor gesponsert werbung code rabatt rabattcode gutschein gratis kostenlos kostenlose angebot aktion anmelden meldet',
  offers:
    'prozent rabatt|euro rabatt|punkt de slash|punkt com slash|punkt de schrägstrich|punkt com schrägstrich|tage kostenlos|' +
    'monate kostenlos|monat kostenlos|tage gratis|monate gratis|sponsor dieses|unterstützt von|gesponsert von|präsentiert von|' +
    'in eigener sache|mit dem rabattcode|mit dem gutscheincode',
  addressees:
    'ihr euch euer eure euren eurer du dir dich dein deine leute zusammen damen herren sie ihnen ihre ihrer mir mich meinem unser',
};

// prettier-ignore
const fr: Vocabulary = {
  hesitations: 'euh heu hum hmm mmh',
  articles:
    'le la les un une des du au aux ce cette ces cet mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs chaque quelque ' +
    "quelques aucun aucune de à en dans pour par sur avec sans sous entre vers chez depuis pendant contre jusque jusqu'à avant après " +
    "dès selon comme que d'un d'une",
  casual:
    "je tu vous moi toi votre vos mon ma mes j'ai j'étais j'avais ça c'est oui non ouais bon ben bah alors voilà euh hein enfin quoi " +
    'truc trucs chose choses merci bonjour bonsoir madame monsieur pardon écoutez attendez dis dites dit disais vois voyez sais savez ' +
    'crois pense veux voulez laissez-moi permettez laissez répondre parole',
  pronouns:
    "il elle ils elles ce celui celle ceux celles lui leur eux son sa ses leurs c'est c'était qu'il qu'elle qu'ils qu'elles lequel " +
    "laquelle",
  demonstratives:
    'ça cela ceci cette ces cet celui-ci celle-ci ceux-ci',
  greetings:
    'salut|bonjour|bonsoir|bienvenue|revoir|merci|remercie|à bientôt|à la prochaine|à très vite|à très bientôt|au revoir|bonne soirée|' +
    "bonne journée|mesdames et messieurs|c'est parti|à la semaine prochaine|on se retrouve|pouce bleu|mon site|en commentaire|" +
    'juste en dessous|suivez-moi',
  media:
    'chaîne vidéo vidéos abonner abonnez abonnés commentaire commentaires pouce cloche notification notifications description lien ' +
    'liens épisode podcast newsletter instagram twitter facebook tiktok patreon tipeee youtube playlist suivez partagez like',
  promotion:
    'sponsor sponsorisé sponsorisée partenaire code réduction promo gratuit gratuite gratuitement offre inscrivez soutenir',
  offers:
    'pour cent de réduction|pour cent de remise|pourcent de réduction|point com slash|point fr slash|code promo|mois gratuits|' +
    'mois offerts|jours gratuits|sponsor de cette|sponsorisé par|sponsorisée par|partenaire de cette',
  addressees: 'vous votre vos tu te toi ton ta tes tous toutes monde amis mesdames messieurs moi nous notre',
};

const VOCABULARIES: Record<Language, Vocabulary> = { en, pt, es, it, de, fr };

const wordLists = new Map<Language, ReturnType<typeof compile>>();

/** The lists of a language, ready for use. */
export function wordListsOf(language: Language): ReturnType<typeof compile> {
  let lists = wordLists.get(language);
  if (!lists) wordLists.set(language, (lists = compile(language)));
  return lists;
}

function compile(language: Language) {
  const vocabulary = VOCABULARIES[language];
  const words = (name: keyof Vocabulary) => new Set(vocabulary[name].split(' '));
  const stems = (name: keyof Vocabulary) => new Set([...words(name)].map((word) => stem(word, language)));
  const phrases = (name: keyof Vocabulary) => vocabulary[name].split('|').map((phrase) => ` ${phrase} `);
  return {
    hesitations: words('hesitations'),
    articles: words('articles'),
    casual: words('casual'),
    pronouns: words('pronouns'),
    demonstratives: words('demonstratives'),
    greetings: phrases('greetings'),
    media: stems('media'),
    promotion: stems('promotion'),
    offers: phrases('offers'),
    addressees: words('addressees'),
  };
}
