import type { Language } from '../../text/languages.js';

/**
 * What the embedded summarizer knows about a language: closed classes of words in lower case with straight apostrophes, words
 * separated by blanks and phrases by `|`. Where lists overlap, the class named first below wins for sentence borders.
 * Nothing here is about a subject, a speaker or a text.
 */
interface Vocabulary {
  /** Sounds of thinking that are no words; deleted wherever they stand in speech. */
  hesitations: string;
  /** Answers and back-channels (`yes`, `okay`, `thanks`); a turn made of these says nothing. */
  answers: string;
  /** Markers that open a spoken sentence and carry nothing (`so`, `well`, `now`); deleted at the start. */
  openers: string;
  /** Words that point back to something said before, when a sentence starts with them. */
  anaphora: string;
  /** Phrases: openings that look like `anaphora` and stand alone all the same (`there is`, `il y a`). */
  standAlone: string;
  /** Phrases with which a speaker says what the whole is about (`today I want`). */
  announcements: string;
  /** Words of private talk: they tell speech from writing, and chat from substance. */
  casual: string;
  /** Words with which speakers announce what matters; compared by stem. */
  cues: string;
  subjects: string;
  /** Subject and verb in one word (`it's`, `c'est`). */
  contractions: string;
  demonstratives: string;
  determiners: string;
  prepositions: string;
  /** Finite forms of auxiliaries and of the most frequent verbs. */
  verbs: string;
  /** `and`, `or`. */
  coordinators: string;
  /** `but`, `because of that`: openers that link to what was said before. */
  contrasts: string;
  subordinators: string;
  interrogatives: string;
  /** Adverbs of time and order that often open a sentence. */
  adverbs: string;
  /** Negation and degree: hardly ever at a sentence border. */
  degrees: string;
  /** Words of greeting, thanks and farewell. With `addressees` and the three lists before it, evidence of talk about the video itself. */
  greetings: string;
  /** Phrases of greeting, farewell and calls to the audience (`good morning`, `hasta luego`, `like button`). */
  formulas: string;
  /** Words of video platforms (`channel`, `subscribe`, `link`); compared by stem. */
  media: string;
  /** Words of advertising (`sponsor`, `code`, `discount`); compared by stem. */
  promotion: string;
  /** Phrases of advertisements that stand in no other sentence (`percent off`, `dot com slash`). */
  offers: string;
  /** Words that address or name the audience and the speaker (`you`, `everyone`, `me`). */
  addressees: string;
  /** Words that may well stand twice in a row (`nous nous`). */
  doubles: string;
  /** Phrases: openings of a question without a question word (`do you`, `est-ce que`). */
  questions: string;
}

// prettier-ignore
const en: Vocabulary = {
  hesitations: 'um uh uhm umm uhh erm er hmm mm mmm hm mm-hmm uh-huh mm-hm mhm uhhuh hmm-hmm huh-uh',
  answers:
    'yeah yep yes yup no nope nah okay ok right alright sure exactly absolutely true great cool fine good ' +
    'sorry bye goodbye wow correct indeed perfect definitely',
  openers:
    'yeah yep okay ok oh ah alright so well and now then but anyway anyways also or basically actually obviously again honestly cause',
  anaphora:
    "it he she they that this these those them him her his its their which such it's that's he's she's " +
    "they're they've they'll it'll that'll he'll she'll he'd she'd they'd it'd another other others both " +
    'neither either same',
  standAlone:
    'this meeting|this morning|this week|this year|this motion|this video|this talk|' +
    'this lecture|this episode|this evening|this afternoon|this month|this country|this one|these days|' +
    'it takes|it turns|it seems|it rained|one day|one thing|such as|those who|those that|that is why',
  announcements:
    "today i want|today i'm|today we|today we're|today we'll|today i'd|today i will|today i'll|i want to talk|i want to start|" +
    "i'm going to show|i'm going to talk|i'm gonna show|i want to tell|i want to spend|i'd like to talk|we're going to look|in this video|in this talk|in this lecture|in this episode|" +
    "this video is|this talk is|we'll look at|let's talk about|i'll show you|my guest today|today's topic|" +
    'the topic today|the subject of',
  casual:
    'i you me my mine your yours myself yourself yeah yep okay ok oh like just really actually basically ' +
    'gonna wanna gotta kinda sorta thing things stuff guy guys kind sort pretty maybe probably guess mean ' +
    "know think cool nice fun funny sorry thanks thank please right well so lot bit i'm i'd i'll i've you're " +
    "you've you'd you'll don't didn't can't isn't that's it's there's what's let's he's she's we're they're " +
    "wasn't doesn't couldn't wouldn't won't whatever anyway hello hi bye um uh yes no hmm say said saying " +
    'tell see look looking got get getting something anything somebody someone somewhere ah hey wow huh',
  cues:
    'decide decision agree agreement propose proposal recommend suggest conclude conclusion summary summarize ' +
    'overall important main key goal aim objective purpose focus discuss discussion problem issue challenge ' +
    'solution result plan need must require necessary first second finally today project because therefore ' +
    'instead concern ensure support announce explain reason strategy',
  subjects: 'i we you he she they it',
  contractions:
    "i'm i've i'd i'll we're we've we'd we'll you're you've you'd you'll he's he'd he'll she's she'd she'll " +
    "they're they've they'd they'll it's it'll it'd that's that'll there's here's what's who's where's how's " +
    "let's there'll",
  demonstratives: 'this that these those there here',
  determiners: 'the a an my your our his her its their every each some any no another',
  prepositions:
    'of in on at to for with from by about into onto over under between through during without within against ' +
    'among across towards toward upon like as than per via near behind off out up down since until before after',
  verbs:
    'is are was were am be been being has have had do does did can could will would shall should may might ' +
    "must isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't " +
    "wouldn't shouldn't gonna wanna gotta need needs want wants think thinks know means says said make makes " +
    'get gets got go goes going come comes take takes use uses work works let seems looks look gives give put ' +
    'see saw went told try trying',
  coordinators: 'and or nor',
  contrasts: 'but so',
  subordinators:
    'because if when while although though whereas unless whether cause',
  interrogatives: 'what which who whom whose how why where',
  adverbs:
    'then now also actually basically first second third finally maybe perhaps however therefore anyway okay ' +
    'again today obviously usually sometimes',
  degrees:
    'not very really just too quite only even still already always never ever more most less much almost ' +
    'pretty',
  greetings: 'hello hi hey welcome bye goodbye thanks thank cheers',
  formulas:
    'good morning|good afternoon|good evening|good night|see you|take care|ladies and gentlemen|' +
    "that's it for|that's all for|stay tuned|let's get started|let's get into|let's jump|right back|" +
    'without further ado|' +
    'like button|short break|thumbs up|apple podcasts|my website|our website|hear me|follow me',
  media:
    'channel video subscribe subscribing subscriber comment bell notification description link ' +
    'episode podcast newsletter instagram twitter facebook tiktok patreon discord youtube playlist upload ' +
    'viewer watching listening bio thumbs',
  promotion:
    'sponsor sponsored sponsoring code discount coupon free trial offer promo affiliate affiliated',
  offers:
    'percent off|dot com slash|dot org slash|promo code|discount code|coupon code|months for free|' +
    "days for free|month for free|free trial|today's sponsor|our sponsor|sponsored by|sponsoring this|" +
    'sponsor of this|brought to you by|quick word from|affiliate links',
  addressees:
    "you your yours you're you'll you've everyone everybody guys folks ladies gentlemen me my",
  doubles: 'that had',
  questions:
    'do you|did you|does it|are you|is it|is that|is there|are there|can you|can we|can i|could you|would you|' +
    'will you|should we|do we|have you|are we|do i|is this|does that|does the|do they|will the|what do|' +
    "what is|what are|what did|how do|how does|how many|how much|why do|why is|where is|who is|what's the|" +
    'would it|could we|shall we',
};

// prettier-ignore
const pt: Vocabulary = {
  hesitations: 'hum hm hmm mm ahn uh',
  answers:
    'sim não tá ok okay claro bom bem exato exatamente certo perfeito isso beleza legal pois desculpa',
  openers: 'tá ah oh ok e então mas aí pois olha veja agora né ou enfim assim daí também depois',
  anaphora:
    'ele ela eles elas isso isto esse essa esses essas este esta estes estas aquilo aquele aquela seu sua ' +
    'seus suas dele dela deles delas qual quais lhe ali lá nele nela disso disto tal neste nesta nestes nestas nesse nessa nesses nessas deste desta destes destas desse dessa',
  standAlone:
    'este livro|esta semana|este vídeo|esta manhã|este capítulo|há|havia|este ano|esta noite|hoje|' +
    'é importante|é possível|é preciso|é necessário|existe|existem|basta|faz|neste vídeo|nesse vídeo|neste episódio|nesta aula|deste ano|aquilo que|aquele que|aqueles que',
  announcements:
    'hoje vamos|hoje eu|hoje vou|hoje quero|neste vídeo|nesse vídeo|neste episódio|vou mostrar|quero falar|' +
    'vamos falar|quero começar|o tema',
  casual:
    'eu tu você vocês me te meu minha teu tua seu nós gente a-gente tá né aí então bom olha acho penso digo ' +
    'diz sabe coisa coisas cara pessoal obrigado obrigada oi olá tchau legal tipo vou vai beleza',
  cues:
    'importante principal essencial objetivo meta problema questão solução resultado razão conclusão resumo ' +
    'resumir decidir decisão propor proposta concordar plano necessário dever primeiro segundo finalmente ' +
    'hoje porque permitir consistir significar',
  subjects: 'eu tu ele ela você nós vós vocês eles elas',
  contractions: '',
  demonstratives:
    'este esta estes estas esse essa esses essas isso isto aquele aquela aquilo aqui ali lá aí',
  determiners:
    'o a os as um uma uns umas meu minha teu tua seu sua seus suas nosso nossa nossos nossas cada algum ' +
    'alguma alguns algumas nenhum nenhuma ao à aos às do da dos das no na nos nas pelo pela pelos pelas num ' +
    'numa',
  prepositions:
    'de em com por para sem sobre entre até desde contra durante como ante sob após segundo pra pro',
  verbs:
    'é são era eram foi foram ser estar está estão estava estavam estou tá tem têm tinha tinham tenho temos ' +
    'ter há havia houve pode podem posso podemos poder deve devem vai vão vou vamos ir faz fazem faço fazer ' +
    'diz dizem quer querem quero sabe acho será serão seria seja sou somos',
  coordinators: 'e ou nem',
  contrasts: 'mas então porém pois',
  subordinators: 'que porque se quando enquanto embora onde caso',
  interrogatives: 'quem qual quais como onde quando quanto quantos cujo cuja',
  adverbs: 'agora hoje depois então também assim primeiro finalmente amanhã ontem sempre além',
  degrees: 'não muito muita muitos mais menos pouco tão tanto quase só já ainda nunca bastante bem',
  greetings:
    'oi olá tchau adeus bem-vindo bem-vindos bem-vinda obrigado obrigada abraço beijo',
  formulas:
    'bom dia|boa tarde|boa noite|até logo|até a próxima|até o próximo|até à próxima|tudo bem|' +
    'senhoras e senhores|vamos lá|até mais|' +
    'o sininho|seu like|meu site|nos comentários|na descrição',
  media:
    'canal vídeo vídeos inscrever inscreve inscreva comentário comentários like joinha sininho notificação ' +
    'notificações descrição link links episódio podcast newsletter instagram twitter facebook tiktok patreon ' +
    'youtube playlist segue siga compartilha compartilhe',
  promotion:
    'patrocinado patrocinador patrocínio código desconto cupom grátis oferta promoção cadastre apoie',
  offers:
    'por cento de desconto|ponto com barra|com o cupom|cupom de desconto|código promocional|meses grátis|' +
    'mês grátis|dias grátis|patrocinado por|patrocina este|patrocinador deste|patrocinador de hoje|' +
    'rapidinho da nossa|rapidinho do nosso',
  addressees:
    'você vocês te ti seu seus sua suas vos vosso todos todas gente pessoal amigos senhoras senhores me meu ' +
    'minha nos nosso',
  doubles: '',
  questions: 'por que|o que|será que|como é|qual é|quais são|onde está|quem é|você sabe',
};

// prettier-ignore
const es: Vocabulary = {
  hesitations: 'ehm em mm mmm hm uh um',
  answers:
    'sí no vale ok okay claro bueno bien exacto exactamente perfecto cierto correcto genial vaya perdón',
  openers: 'bueno ah oh ay y pues entonces pero ahora mira miren oye o además así luego total venga vaya ya',
  anaphora:
    'él ella ellos ellas eso esto esta este estos estas esa ese esos esas aquello lo le les su sus cual ' +
    'cuales allí ahí dicho dicha ello ésta éste éstos éstas',
  standAlone:
    'este libro|esta semana|este vídeo|esta mañana|lo que|lo primero|lo importante|lo más|este capítulo|hay|esta noche|' +
    'esta tarde|este año|estos días|este mes|es importante|es posible|es necesario|existe|existen|había|hubo|' +
    'hace',
  announcements:
    'hoy vamos|hoy voy|hoy os|hoy quiero|hoy hablamos|hoy te|hoy les|en este vídeo|en este video|' +
    'en este episodio|os voy a|les voy a|te voy a|quiero contarles|quiero hablar|el tema',
  casual:
    'yo tú te me mi mis tu tus usted ustedes nos sí vale ok pues bueno oye mira creo pienso digo dices dice ' +
    'sabes cosa cosas tío tía gracias hola adiós claro eh o sea vamos voy va guay genial',
  cues:
    'importante principal esencial objetivo meta problema cuestión solución resultado razón conclusión ' +
    'resumen resumir decidir decisión proponer propuesta acordar plan necesario deber primero segundo ' +
    'finalmente hoy porque permitir consistir significar',
  subjects: 'yo tú él ella nosotros nosotras vosotros ustedes usted ellos ellas uno',
  contractions: '',
  demonstratives: 'este esta estos estas ese esa esos esas eso esto aquel aquella allí ahí aquí',
  determiners:
    'el la los las un una unos unas lo mi mis tu tus su sus nuestro nuestra nuestros nuestras cada algún ' +
    'alguna algunos algunas ningún ninguna al del',
  prepositions:
    'de a en con por para sin sobre entre hasta desde hacia según contra durante mediante tras como ante bajo',
  verbs:
    'es son era eran fue fueron ser estar está están estaba estaban estoy he has ha hemos han había habían ' +
    'haber hay hubo tiene tienen tengo tenemos tener puede pueden puedo podemos poder debe deben va van voy ' +
    'vamos ir hace hacen hago hacer dice dicen quiere quieren quiero queremos sabe creo será serán sería sea ' +
    'soy somos',
  coordinators: 'y e o u ni',
  contrasts: 'pero pues entonces sino aunque',
  subordinators: 'que porque si cuando mientras aunque donde',
  interrogatives: 'qué quién quiénes cuál cuáles cómo dónde cuándo cuánto cuántos quien cual cuales cuyo',
  adverbs: 'ahora hoy luego después entonces además también así primero finalmente mañana ayer siempre',
  degrees: 'no muy más menos mucho muchos poco tan tanto casi sólo solo ya aún todavía nunca bastante',
  greetings:
    'hola adiós bienvenido bienvenidos bienvenida gracias abrazo beso saludos',
  formulas:
    'buenos días|buenas tardes|buenas noches|muy buenas|hasta luego|hasta la próxima|hasta pronto|' +
    'nos vemos|qué tal|señoras y señores|vamos allá|hasta la semana|' +
    'me gusta|mi web|en los comentarios|abajo en',
  media:
    'canal vídeo video suscribir suscríbete suscribirte suscribirse comentario comentarios like ' +
    'campanita notificación notificaciones descripción enlace enlaces link episodio podcast newsletter ' +
    'instagram twitter facebook tiktok patreon youtube sígueme síguenos comparte',
  promotion:
    'patrocinado patrocinador patrocina código descuento cupón gratis oferta promoción apúntate regístrate ' +
    'apoyarnos',
  offers:
    'por ciento de descuento|punto com barra|punto es barra|código de descuento|código promocional|' +
    'meses gratis|mes gratis|días gratis|patrocinado por|patrocina este|patrocinador de este|' +
    'patrocinador de hoy',
  addressees:
    'tú te ti tu tus vosotros os vuestro vuestra ustedes usted su sus todos todas amigos chicos señoras ' +
    'señores me mi nos nuestro',
  doubles: '',
  questions: 'es que|por qué|qué es|cómo se|cuál es|cuáles son|dónde está|quién es',
};

// prettier-ignore
const it: Vocabulary = {
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

// prettier-ignore
const de: Vocabulary = {
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

// prettier-ignore
const fr: Vocabulary = {
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

export const VOCABULARIES: Readonly<Record<Language, Vocabulary>> = { en, pt, es, it, de, fr };
