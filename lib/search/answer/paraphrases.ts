import type { Language } from '../../core/text/index.js';
import { termOf } from '../ranking/analyzer.js';
import { IRREGULAR_VERBS } from './irregular-verbs.js';

/**
 * Words that commonly stand for one another between a question and the sentence that answers it. One group a line; a
 * word may stand in several. General vocabulary only: verbs of making, moving, ruling, growing, and the nouns made of them.
 */
const GROUPS: Record<Language, string> = {
  en: `
invent inventor invention devise create creator develop developer design designer pioneer
discover discovery discoverer find found identify detect isolate
write writer wrote written author pen compose publish novelist poet playwright
compose composer composed wrote write music score
paint painter painted painting artist canvas
build built builder construct construction erect make made
found founder founded establish establishment set create start institute
begin began begun start starts started commence launch open opened onset
end ended finish stop stopped cease close closed conclude over
die died death dead perish killed pass
born birth birthplace native
kill killed murder assassinate assassin slay shoot shot execute
marry married marriage wed wife husband spouse
father mother parent parents son daughter child children
live lived living inhabit reside dwell home habitat population inhabitant
win won winner victory victor beat defeat champion triumph
lose lost loser defeat beaten defeated
defeat beat beaten overcome conquer rout
fight fought battle war combat clash
attack invade invasion assault raid strike
rule ruled ruler reign reigned govern governor king queen emperor monarch
lead led leader head command commander chief
elect elected election vote chosen
big large huge great giant vast
biggest largest greatest
small little tiny minute
smallest least tiniest
tall high height
long length lengthy extend extends stretch stretches
deep depth
wide width broad breadth span
heavy weight weigh weighs mass massive
fast quick quickly rapid speed swift
hot heat warm temperature
cold cool temperature chill
old age ancient aged
price cost worth pay paid money
buy bought purchase acquire acquired
sell sold sale trade
produce production make made manufacture generate yield
use used using employ utilise utilize apply application serve purpose
need require required requires necessary essential depend
contain include consist comprise hold made
part component element section piece
form shape formed make become
change turn convert transform become
cause causes caused lead result trigger due bring produce
grow grew growth grown increase rise rose expand
fall fell drop decline decrease shrink reduce reduced
move moved travel migrate go shift
travel journey voyage trip sail sailed
cross crossed crossing traverse
arrive arrived reach reached land landed
leave left depart departure flee fled
carry transport bear convey bring deliver
eat eats eaten feed feeds food diet prey consume
hunt hunting prey catch
protect protection defend guard shield safe
destroy destroyed destruction ruin demolish wreck burn
damage harm hurt injure
sink sank sunk sinking
explode explosion erupt erupted eruption blast
name named call called known term title
locate located lie lies situated stand stands place site
capital seat
near close beside next
show display exhibit demonstrate reveal
say said state claim argue declare
teach taught teacher instruct train
learn study studied student pupil
speak spoken language tongue
sign signed agree agreement treaty pact
join joined unite united merge enter
separate split divide divided division
measure measured gauge measurement unit
describe description explain
believe thought think
receive received get got awarded win prize award
give gave given grant award donate
send sent dispatch
keep kept store stored hold preserve storage
save rescue rescued
release released emit give issue
absorb absorbed take soak
breathe respiration breath
ill illness disease sick sickness infection disorder
cure treat treatment remedy medicine heal therapy
doctor physician surgeon
scientist researcher chemist physicist biologist
film movie picture
car automobile vehicle
plane aircraft aeroplane airplane
ship vessel boat
job work profession occupation career
country nation state
city town
people person human inhabitants
money currency coin
law legislation act statute
rain rainfall precipitation
ocean sea
mountain peak summit mount
star sun
rock stone mineral
plant crop vegetation
happen happened occur occurred take place event
year annual yearly annually
yearly every annual
first initial original earliest
last final latest
main chief principal major primary
famous known renowned celebrated
popular common widespread
rare uncommon scarce
number amount quantity total many
kind type sort species variety class
role function job task purpose
reason cause why because
help aid assist support
allow permit enable let
prevent stop avoid block
ban banned forbid prohibit outlaw
replace replaced substitute succeed succeeded
follow followed succeed succeeded successor
precede predecessor before
own owner owned belong possess
consider regard seen
complete completed finish finished
hide hidden conceal
break broke broken fracture crack
join link connect connects connected linked
surround surrounded border borders bordered
flow flows run runs drain empty empties
freeze freezing frozen ice
boil boiling
melt melting
burn combustion fire
translate translated translation
perform performed performance play premiere premiered staged
record recorded recording
crown crowned coronation throne
bury buried grave tomb burial
climb climbed ascent summit
score scored goal goals
instrument device tool
wear worn clothes dress
colour color coloured colored
centre center
inhabitants population residents people
percent percentage share proportion
spread spreads transmitted transmit
hatch hatched egg eggs
sleep asleep hibernate hibernation
energy power
light bright shine
orbit revolve circle
rotate spin turn rotation
discharge emit release
execute executed execution behead beheaded hang hanged guillotine
assassinate assassinated stab stabbed poison
reunite reunited unite united unify unification union
remain remained remains left stay stayed
escape escaped flee fled
design designed plan planned drew architect
dig digging dug excavate excavation excavated
originate originated origin arise arose come comes came begin
observe observed see saw watch watched find found notice noticed
reject rejected refuse refused dismiss dismissed
vaccinate vaccine vaccination inoculate immune
rare endangered extinct
unemployed unemployment jobless job
direct directed lead led run ran manage managed
summon call called invite
introduce introduced bring brought
collapse collapsed crash crashed fell
reply replied answer answered respond
choose chose chosen select selected pick
burn burned fire
ask asked request beg
decide decided decision resolve
hide hid conceal
hurt injure injured wound wounded
guide guided lead
increase increased grow double doubled
reduce reduced cut lower halve
`,
  pt: `
inventar inventor invenção criar criador desenvolver
descobrir descoberta descobridor encontrar descobriu
escrever escritor autor escreveu publicar
fundar fundador fundação criar estabelecer
construir construção edificar erguer
nascer nascimento nasceu nascido
morrer morte morreu falecer
ganhar vencer vencedor vitória venceu ganhou
grande maior enorme
pequeno menor
começar iniciar início começou
acabar terminar fim terminou
situar localizar ficar localizado situado
chamar nome chamado
governar rei rainha imperador reinar
usar utilizar uso
produzir fabricar produção gerar
causar causa provocar levar
alto altura
comprido longo comprimento extensão
`,
  es: `
inventar inventor invención crear creador desarrollar
descubrir descubrimiento descubridor descubrió encontrar
escribir escritor autor escribió publicar
fundar fundador fundación crear establecer
construir construcción edificar levantar
nacer nacimiento nació nacido
morir muerte murió fallecer
ganar vencer vencedor victoria ganó venció
grande mayor enorme
pequeño menor
empezar comenzar inicio comenzó empezó
acabar terminar fin terminó
situar ubicar ubicado situado encontrarse
llamar nombre llamado
gobernar rey reina emperador reinar
usar utilizar uso
producir fabricar producción generar
causar causa provocar
alto altura
largo longitud extensión
`,
  it: `
inventare inventore invenzione creare creatore sviluppare inventò
scoprire scoperta scopritore scoprì trovare
scrivere scrittore autore scrisse pubblicare
fondare fondatore fondazione creare stabilire fondò
costruire costruzione edificare erigere
nascere nascita nacque nato
morire morte morì
vincere vincitore vittoria vinse battere
grande maggiore enorme
piccolo minore
iniziare cominciare inizio iniziò
finire terminare fine terminò
situare trovarsi situato
chiamare nome chiamato
governare re regina imperatore regnare
usare utilizzare uso
produrre fabbricare produzione generare
causare causa provocare
alto altezza
lungo lunghezza estensione
`,
  de: `
erfinden erfand erfunden erfinder erfindung entwickeln entwickelte
entdecken entdeckte entdeckt entdecker entdeckung finden
schreiben schrieb geschrieben autor schriftsteller verfassen verfasste
gründen gründete gegründet gründer gründung
bauen baute gebaut bau errichten errichtet
geboren geburt
sterben starb gestorben tod
gewinnen gewann gewonnen sieger sieg siegen
groß größte größter riesig
klein kleinste
beginnen begann begonnen anfang anfangen beginn
enden endete ende aufhören
liegen liegt gelegen befindet
heißen heißt name genannt nennt
regieren könig königin kaiser herrschen
benutzen verwenden nutzen gebrauch verwendet
herstellen produzieren erzeugen produktion
verursachen ursache führen auslösen
hoch höhe
lang länge
`,
  fr: `
inventer inventeur invention créer créateur développer
découvrir découverte découvreur découvert trouver
écrire écrivain auteur écrit publier
fonder fondateur fondation créer établir
construire construction bâtir édifier
naître naissance né née naquit
mourir mort mourut décéder
gagner vainqueur victoire remporter vaincre
grand plus énorme
petit moindre
commencer début commença débuter
finir terminer fin termina
situer trouver situé située
appeler nom nommé appelé
gouverner roi reine empereur régner
utiliser usage employer
produire fabriquer production
causer cause provoquer entraîner
haut hauteur
long longueur étendue
`,
};

const groupsOf = new Map<Language, ReadonlyMap<string, readonly number[]>>();

/** True when two stems stand in a common group of the language. */
export function areParaphrases(a: string, b: string, language: Language): boolean {
  const groups = paraphraseGroups(language);
  const first = groups.get(a);
  const second = groups.get(b);
  return !!first && !!second && first.some((g) => second.includes(g));
}

function paraphraseGroups(language: Language): ReadonlyMap<string, readonly number[]> {
  let map = groupsOf.get(language);
  if (!map) {
    const built = new Map<string, number[]>();
    const groups = language === 'en' ? GROUPS.en.trimEnd() + IRREGULAR_VERBS : GROUPS[language];
    groups
      .trim()
      .split('\n')
      .forEach((line, i) => {
        for (const word of line.split(' ')) {
          const term = termOf(word, language) ?? word;
          const groups = built.get(term);
          if (!groups) built.set(term, [i]);
          else if (!groups.includes(i)) groups.push(i);
        }
      });
    map = built;
    groupsOf.set(language, map);
  }
  return map;
}
