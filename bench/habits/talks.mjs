/** Short talks to play replies on: what is said in them is known, so that what a summary loses or makes up can be told. */

/** A talk of so many seconds a line. A line that begins with `# ` opens a chapter. */
function talk(id, language, title, text, secondsPerLine = 6) {
  const segments = [];
  const chapters = [];
  for (const line of text.trim().split('\n')) {
    const startMs = segments.length * secondsPerLine * 1000;
    if (line.startsWith('# ')) chapters.push({ title: line.slice(2), startMs, endMs: 0 });
    else segments.push({ startMs, endMs: startMs + secondsPerLine * 1000 - 100, text: line });
  }
  const durationMs = segments.length * secondsPerLine * 1000;
  chapters.forEach((chapter, i) => (chapter.endMs = chapters[i + 1]?.startMs ?? durationMs));
  return {
    id,
    url: `https://www.youtube.com/watch?v=${id}`,
    title,
    channel: 'The channel',
    durationMs,
    language,
    captions: 'manual',
    segments,
    chapters,
    provider: 'bench',
  };
}

/** Automatic captions: no punctuation, numbers in words, acronyms letter by letter, an advertisement, a farewell. */
export const HARBOUR = talk(
  'harbour0000',
  'en',
  'How Lisbon got its harbour back',
  `hi everybody and welcome back to the channel
today we look at how the harbour in Lisbon was rebuilt
the story begins in nineteen ninety nine with a flood
in the 90s nobody wanted to live near the water
half of the old warehouses were torn down in one summer
a quarter of the workers came from Porto by train
the first pier cost twelve fifty euro a square metre
and the whole plan cost twenty five million in the end
one third of the money came from the European Union
this video is sponsored by BoatGuard get twenty percent off today
the engineer Annabelle Kiroga said it would take a dozen years
she measured the tides with a t f t display on her desk
n a s a took pictures of the bay from above
the u i of the booking system was ugly but it worked
the a i that plans the cranes was trained on old logs
every morning at half past eight the ferry crosses the river
on the twenty first of October the first ship came in
fifteen hundred boats use the harbour now
in twenty twenty one the last crane was sold to Oslo
nine out of ten visitors say they would come back
the united states sent a delegation to learn from it
what the city did wrong was to forget the fishermen
they moved away and the old market closed
my conclusion is that a harbour needs people more than cranes
so do not build the pier first build the homes first
thanks for watching please like and subscribe`,
);

/** Manual captions with chapters, one of them with a colon in its title. */
export const DATABASES = talk(
  'databases00',
  'en',
  'How databases keep their promises',
  `# A promise in one word
When a database says that a change is stored, you may switch off the power at once.
That promise is called durability, and it is the hardest one to keep.
# Write it down first
Before a page is changed, the change is written to a log, the write-ahead log.
After a crash the log is read again, and what was missing is done a second time.
A log is fast because it is written from one end to the other.
# Finding a needle: indexes
Without an index a query reads every row of the table.
A B-tree finds one row among a billion in about four steps.
Each index makes writing slower, so do not add ten of them.
# All or nothing: transactions
A transaction moves 100 euros from one account to the other, or it does nothing.
Isolation levels decide what two transactions see of each other.
# What to take home
Test your backups, because a backup that was never restored is only a hope.
The speaker concludes that boring databases are the best ones.`,
  20,
);

/** A meeting whose transcriber wrote acronyms as the AMI corpus does. */
export const MEETING = talk(
  'meeting0000',
  'en',
  'Detailed design meeting',
  `Okay, so we start with the display of the remote control.
A T_F_T_ display costs too much, but the users like it in every test.
The industrial designer wants rubber, because it feels good in the hand.
Marketing says that forty percent of the users would pay more for speech recognition.
The U_I_ should have only eleven buttons, and one of them for the menu.
The budget is twelve Euro fifty for each device, and we want to sell it for twenty five.
The target is a profit of fifty million Euro in the first year.
So we decide to use the T_F_T_ display and to drop the speech recognition.
The A_P_I_ for the docking station will be defined next week by Sarah.
Then we meet again on Thursday at half past two and look at the prototype.
Who is going to write the report, will you do it, Michael?
Yes, I write it until Wednesday, and I send it to all of you.`,
  15,
);

export const GARTEN = talk(
  'garten00000',
  'de',
  'Der Garten am Bahnhof',
  `Guten Tag und willkommen in unserem Garten am alten Bahnhof.
Angefangen haben wir neunzehnhundertneunundneunzig mit drei Beeten.
In den Neunzigern lag hier nur Schotter, und niemand wollte das Gelände haben.
Die Hälfte der Fläche gehört heute den Kindern aus der Schule.
Ein Viertel der Ernte geht an die Tafel, der Rest bleibt bei uns.
Ein Quadratmeter kostet zwölf Euro fünfzig im Jahr.
Jeden Morgen um halb neun öffnet Frau Öztürk das Tor.
Zweitausendeinundzwanzig kam das Gewächshaus dazu, für drei Komma fünf Millionen Euro.
Neun von zehn Familien bleiben länger als fünf Jahre.
Wir haben zwei Dutzend Hochbeete und eintausendzweihundert Setzlinge.
Der größte Fehler war, dass wir das Wasser vergessen haben.
Am Ende zeigt der Garten, dass Nachbarn mehr schaffen als ein Amt.`,
  10,
);

export const ETUDE = talk(
  'etude000000',
  'fr',
  'Ce que disent les abeilles',
  `Bonjour à tous, et merci de me recevoir ici ce soir.
Je présente une étude : soixante-quinze pour cent des cultures dépendent des insectes.
Elle a commencé en dix-neuf cent quatre-vingt-dix-neuf dans la Drôme.
La moitié des ruches ont disparu en deux mille vingt et un.
Un tiers du budget vient de l'Union européenne.
Chaque matin, à huit heures et demie, on compte les abeilles.
Une ruche coûte douze euros cinquante par mois.
Neuf agriculteurs sur dix ont accepté de planter des haies.
Il faut environ une douzaine d'années pour qu'une haie soit utile.
Ma conclusion est simple : sans haies, il n'y a pas d'abeilles.`,
  10,
);

export const CACAO = talk(
  'cacao000000',
  'es',
  'La ruta del cacao',
  `Hola y bienvenidos a esta charla sobre el cacao.
La cooperativa nació en mil novecientos noventa y nueve en Tumaco.
La mitad de las familias vivía de la pesca.
Un tercio del dinero vino de la Unión Europea.
Una libra cuesta doce con cincuenta en el mercado.
Cada mañana, a las ocho y media, llega el camión de Cali.
En dos mil veintiuno vendieron tres coma cinco millones de kilos.
Nueve de cada diez socios son mujeres.
El error fue sembrar una sola variedad.
La conclusión es que el precio justo se negocia antes de sembrar.`,
  10,
);

export const CANALE = talk(
  'canale00000',
  'it',
  'Il canale ritrovato',
  `Buonasera e benvenuti a questa serata sul canale.
I lavori sono cominciati nel millenovecentonovantanove.
La metà delle case era vuota.
Un terzo dei soldi è arrivato dall'Unione europea.
Un metro costa dodici e cinquanta.
Ogni mattina alle otto e mezza passa il battello.
Nel duemilaventuno sono arrivati milleduecento turisti al giorno.
Nove persone su dieci vorrebbero tornare.
L'errore è stato dimenticare i pescatori.
La mia conclusione è che l'acqua appartiene a chi la usa.`,
  10,
);

export const MERCADO = talk(
  'mercado0000',
  'pt',
  'O mercado do bairro',
  `Bom dia a todos e obrigado por terem vindo.
O mercado abriu em mil novecentos e noventa e nove.
Metade das bancas estava fechada.
Um terço do dinheiro veio da União Europeia.
Uma banca custa doze e cinquenta por dia.
Todas as manhãs, às oito e meia, chega o peixe de Setúbal.
Em dois mil e vinte e um vieram dezasseis mil pessoas.
Nove em cada dez clientes voltam.
O erro foi esquecer os pescadores.
A conclusão é que um mercado vive de quem lá trabalha.`,
  10,
);

// A second set of talks, as speech recognition writes them: no capitals, no marks, numbers in words.

export const COFFEE = talk(
  'coffee00000',
  'en',
  'How I roast coffee at home',
  `so hey everyone today i want to show you how i roast coffee at home
i started in two thousand and eight with a popcorn machine from my aunt carol
the green beans come from a farm in huila in colombia at seventeen hundred metres
a kilo of green beans is about nine ninety nine and roasted you pay thirty five dollars
so you save roughly two thirds of the money
the drum has to be at two hundred and five degrees before the beans go in
first crack starts after nine and a half minutes more or less
then you have between ninety seconds and two minutes until second crack
the beans lose fifteen point five percent of their weight mostly water
my neighbour doctor okonkwo measured the c o two that comes out
the i s o standard says you should wait twenty four hours before tasting
but in my experience it takes five to seven days for espresso
a p i d controller costs forty quid and it's the best upgrade
the b b c made a programme about this in the eighties
in the nineteen eighties people only had robusta in the supermarket
one in five beans in a cheap bag is defective
i once burned a batch at quarter to seven in the morning and the fire brigade came
three fire engines and a dozen and a half people on the lawn
so always keep a lid ready because a lid puts out a fire better than water
robusta has twice the caffeine of arabica
world production is about a hundred and seventy million bags of sixty kilos
brazil alone makes more than a third of it
the price hit a forty seven year high in february twenty twenty five
so is home roasting worth it i think yes if you drink at least two cups a day
if you drink less than that buy from a small roaster instead
and never ever roast indoors without a window open`,
  8,
);

export const SITZUNG = talk(
  'sitzung0000',
  'de',
  'Gemeinderat',
  `guten abend meine damen und herren ich eröffne die sitzung um neunzehn uhr dreißig
wir haben einundzwanzig mitglieder davon sind achtzehn anwesend
punkt eins der neue kindergarten in der bahnhofstraße
die kosten sind von drei komma zwei auf viereinhalb millionen euro gestiegen
das land übernimmt vierzig prozent und der bund ein fünftel
frau doktor weigel von der c d u fragt nach den folgekosten
herr yıldırım sagt die folgekosten liegen bei hundertachtzigtausend euro im jahr
baubeginn soll im frühjahr zweitausendsechsundzwanzig sein
die fertigstellung ist für das dritte quartal zweitausendsiebenundzwanzig geplant
es gibt anderthalb mal so viele anmeldungen wie plätze
der antrag wird mit zwölf zu sechs stimmen angenommen
punkt zwei die umgehungsstraße b siebenundzwanzig
der verkehr hat seit den achtzigern um das doppelte zugenommen
die i h k und der a d a c sind dafür der b u n d ist dagegen
das gutachten kostet fünfundachtzigtausend euro
die entscheidung wird auf den fünfzehnten januar vertagt
um viertel nach neun ist die sitzung geschlossen`,
  8,
);

export const CONF = talk(
  'conf0000000',
  'fr',
  'Conférence sur le sommeil',
  `bonsoir à toutes et à tous ce soir on parle du sommeil
un adulte dort en moyenne six heures quarante deux par nuit en france
c'est une heure et demie de moins qu'il y a cinquante ans
une étude de l' i n s e r m a suivi sept mille neuf cent cinquante neuf personnes
ceux qui dorment moins de six heures ont trente pour cent de risque en plus
dans les années soixante dix on dînait à dix neuf heures
aujourd'hui c'est vingt heures quinze
un jeune sur quatre regarde son téléphone après minuit
le café met cinq à six heures à être éliminé de moitié
la sieste idéale dure vingt minutes
le docteur lemarchand recommande dix huit degrés dans la chambre
l' o m s parle d'une épidémie depuis deux mille dix sept
en conclusion éteignez les écrans une heure avant`,
  8,
);

export const CHARLA = talk(
  'charla00000',
  'es',
  'El agua de la ciudad',
  `buenas tardes vamos a hablar del agua
la ciudad consume ciento ochenta y cinco litros por persona al día
en los años noventa eran doscientos cuarenta
se pierde una cuarta parte en las tuberías viejas
la obra cuesta dos millones y medio de euros
empezó el quince de marzo de dos mil veintidós
la u e paga el sesenta por ciento
el ingeniero echeverría dice que faltan tres kilómetros
de cada diez vecinos siete están de acuerdo
a las siete menos cuarto abren el grifo principal
el agua tarda media hora en llegar al barrio alto
la conclusión es que sale más barato reparar que traer agua de lejos`,
  8,
);

export const LEZIONE = talk(
  'lezione0000',
  'it',
  'La pasta',
  `buongiorno a tutti oggi parliamo di pasta
un italiano mangia ventitré chili di pasta all'anno
nel dopoguerra erano ventotto
la prima fabbrica nasce nel milleottocentoventisette a imperia
l'acqua deve essere un litro per cento grammi con dieci grammi di sale
il prezzo è salito da un euro e dieci a un euro e novanta
il sessantacinque per cento del grano è italiano
il resto viene dal canada e dalla grecia
la cottura dura nove minuti e mezzo
la dottoressa bevilacqua dell' u n i b o studia le fibre
una porzione su tre finisce avanzata
in conclusione la pasta va cotta al dente`,
  8,
);

export const AULA = talk(
  'aula0000000',
  'pt',
  'A bicicleta na cidade',
  `boa noite hoje falamos da bicicleta na cidade
em dois mil e dez havia doze quilómetros de ciclovia
hoje são cento e quarenta e sete
um em cada cinco alunos vai de bicicleta
o plano custa três milhões e meio de euros
a u e paga setenta e cinco por cento
a vereadora figueiredo promete terminar até dezembro
às sete e um quarto da manhã já há trânsito
os acidentes caíram para metade
nos anos oitenta ninguém andava de bicicleta
a conclusão é que a segurança vem primeiro`,
  8,
);

// A third set.

export const BUDGET = talk(
  'budget00000',
  'en',
  'How we paid off our house early',
  `Hi, I'm Dana, and this is how we paid off a mortgage of three hundred and twelve thousand dollars in seven and a half years.
We bought the house in the summer of oh nine, right after the crash.
The rate was five and an eighth percent, fixed for thirty years.
Every month we paid sixteen ninety eight, and that's principal plus interest.
My husband Tomasz drove for UPS, and I taught at a school in Duluth.
The first trick is biweekly payments: you make twenty-six half payments, so thirteen full ones a year.
That alone takes about four years off a thirty year loan.
The second trick is the fifty thirty twenty rule, but we flipped it: half of everything went to the house.
We ate out once a month and our grocery budget was a hundred a week for four people.
In twenty fourteen we refinanced at three point two five and kept paying the old amount.
People say invest instead, because the S&P five hundred returned about ten percent a year.
Mathematically they're right, and I want to be honest about that.
But I slept better, and that's worth a couple of percent to me.
We made the last payment on the third of March twenty seventeen at ten to four in the afternoon.
My daughter was in first grade then, she's a sophomore now.
If you have credit card debt at twenty two percent, pay that first, always.
And if your employer matches your 401k, take the match before you pay a cent extra.
So would I do it again? Yes, but only with six months of expenses in the bank.
Join my newsletter and use code DANA15 for fifteen percent off the planner.`,
  8,
);

export const KERN = talk(
  'kern0000000',
  'de',
  'Warum ich mein Dach selbst gedeckt habe',
  `Servus, ich bin der Korbinian, und heute reden wir über mein Dach.
Das Haus ist Baujahr dreiundsiebzig und hat hundertvierzig Quadratmeter Dachfläche.
Der Dachdecker wollte siebenunddreißigtausendfünfhundert Euro haben.
Selber gemacht hat es mich knapp vierzehntausend gekostet, also gut ein Drittel.
Pro Quadratmeter braucht man ungefähr elf Ziegel, ich hab tausendsechshundert bestellt.
Die KfW hat fünfzehn Prozent dazugegeben, aber nur für die Dämmung.
Zu zweit haben wir dreieinhalb Wochen gebraucht, jeden Tag von halb sieben bis sechs.
Die Dämmung ist vierundzwanzig Zentimeter dick, Wärmeleitgruppe null drei fünf.
Im ersten Winter haben wir statt dreitausend nur noch achtzehnhundert Liter Öl gebraucht.
Das sind vierzig Prozent weniger, und bei einem Euro zehn pro Liter rechnet sich das.
Mein Nachbar, der Herr Szczepański, ist vom Gerüst gefallen und war sechs Wochen krank.
Also: Sicherung anlegen, immer, auch wenn's nur fünf Minuten sind.
Mein Fazit: wer zwei linke Hände hat, soll's lassen, alle anderen sparen zwanzigtausend Euro.`,
  8,
);

/** Less than forty words. */
export const NOTICE = talk(
  'notice00000',
  'en',
  'A notice',
  `The library will be closed on Monday because of the new roof.
Books can be returned at the door.
On Tuesday we open again at ten, and the reading group meets at noon as always.`,
  8,
);

/** Long enough for parts: the same sentences about many people, each with a number of its own. */
export const LONG = {
  ...HARBOUR,
  id: 'long0000000',
  durationMs: 3000 * 4000,
  segments: Array.from({ length: 3000 }, (_, n) => {
    const who = ['gardener', 'engineer', 'committee', 'neighbour', 'museum', 'student', 'captain', 'baker'][
      n % 8
    ];
    const did = ['measured', 'described', 'repaired', 'questioned', 'compared', 'published', 'painted'][
      (n >> 1) % 7
    ];
    const what = ['bridge', 'maps', 'water supply', 'recordings', 'budget', 'plants', 'harbour', 'ovens'][
      (n >> 2) % 8
    ];
    return {
      startMs: n * 4000,
      endMs: n * 4000 + 3900,
      text: `The ${who} number ${n + 11} ${did} the ${what} with care.`,
    };
  }),
};
