import { stem, type Language } from '../../core/text/index.js';
import { termOf } from '../ranking/analyzer.js';

/**
 * Words that contradict each other: a question about the one is not answered by a sentence about the other. One opposition a line, the
 * forms of either side apart by `|`; a word may stand in several. General vocabulary only. Regular forms of one word need not be
 * listed: stems are compared.
 */
const OPPOSITIONS: Record<Language, string> = {
  en: `
accept agree approve consent | refuse refusal reject decline deny veto disapprove
support favour favor endorse | oppose opposition resist
win won winner winning victorious | lose lost loser losing
open opening reopen | close closed closing closure shut
rise rose risen increase grow grew grown growth climb gain soar | fall fell fallen decrease drop decline shrink shrank shrunk plunge dwindle reduce reduction
raise lift heighten | lower
expand expansion extend widen lengthen enlarge | contract contraction shrink shrank narrow shorten
strengthen | weaken
improve improvement | worsen deteriorate decline
accelerate quicken | slow decelerate brake
born birth | died die death dead
begin began begun start beginning commence launch outbreak | end ending finish stop cease conclude
first | last
earliest | latest
arrive arrival enter entry entered join joining | leave left depart departure exit quit resign withdraw withdrew withdrawn
advance | retreat withdraw withdrew
ascend ascent climb | descend descent
build built construct construction erect found founded establish create creation rebuild rebuilt | destroy destruction demolish demolition dismantle abolish dissolve disband
introduce introduction adopt adoption enact impose | abolish abolition repeal revoke scrap abandon lift
sign ratify ratification | reject rejection
allow permit legalise legalize legal authorise authorize | ban banned forbid forbade forbidden prohibit prohibition outlaw illegal
include inclusion | exclude exclusion
add addition | remove removal subtract
appear appearance | disappear disappearance vanish
remember | forget forgot forgotten
succeed success successful | fail failure unsuccessful
free freed release liberate liberation | imprison imprisonment jail arrest capture enslave detain
hire appoint appointment employ recruit | fire dismiss dismissal sack
marry married marriage wed | divorce
connect join link unite unification merge merger | separate separation split divide division disconnect
crown crowned coronation enthrone | depose overthrow overthrew overthrown oust dethrone abdicate abdication
convict conviction condemn guilty | acquit acquittal pardon innocent
praise applaud admire | criticise criticize blame condemn
love loved | hate hated dislike
reward | punish punishment
hide hid hidden conceal | reveal expose
bury buried | unearth exhume
sow sown plant | harvest reap
earn earned | spend spent
attack invade | defend
freeze froze frozen | melt thaw
heat warm | cool chill
fill filled | empty emptied drain
load | unload
lock | unlock
push | pull
float | sink sank sunk
absorb absorption take | release emit emission
gain profit | loss
surplus | deficit
confirm prove | deny refute disprove
believe trust | doubt distrust
trust | suspect
remain stay stayed | depart departed
keep kept retain preserve | discard abandon lose lost
attract attraction | repel repulsion
inhale | exhale
awake wake woke | sleep slept asleep
admit | deny exclude
break broke broken | keep kept
bore | interest
cry weep wept | laugh
delay postpone | rush hasten hurry
multiply | divide
enjoy | suffer
erase delete | record
pass passed | fail
gather collect | spread scatter
show | hide hid hidden
let allow enable | prevent
reassure calm | worry frighten
resist | surrender yield
import imported <> export exported
buy bought purchase acquire acquisition <> sell sold sale
lend lent <> borrow
teach taught teacher <> learn learnt pupil student
give gave given donate <> receive got
north | south
northern | southern
east | west
eastern | western
largest biggest greatest | smallest least
larger bigger greater | smaller lesser
highest tallest | lowest shortest
higher taller | lower shorter
longest | shortest
longer | shorter
oldest | youngest newest
older | younger newer
hottest warmest | coldest coolest
hotter warmer | colder cooler
heaviest | lightest
heavier | lighter
fastest | slowest
faster | slower
wettest | driest
deepest | shallowest
richest | poorest
strongest | weakest
widest broadest | narrowest
best | worst
most | least fewest
hot | cold
wet | dry
warm | cool
positive | negative
acid | alkali
solid | liquid
maximum | minimum
majority | minority
ancient | modern
public | private
urban | rural
domestic | foreign
upper | lower
inner | outer
internal | external
left | right
summer | winter
spring | autumn
dawn sunrise | dusk sunset
war | peace
friend ally | enemy foe
male | female
men man | women woman
king | queen
son | daughter
mother | father
boys boy | girls girl
`,
  pt: `
aceitar aceitou aceite aprovar aprovou | recusar recusou rejeitar rejeitou
ganhar ganhou vencer venceu vitória | perder perdeu derrota
abrir abriu aberto abertura inaugurar inaugurou | fechar fechou fechado encerrar encerrou
subir subiu aumentar aumentou crescer cresceu | descer desceu diminuir diminuiu cair caiu
nascer nasceu nascimento | morrer morreu morte
começar começou iniciar iniciou início | acabar acabou terminar terminou fim
comprar comprou <> vender vendeu
construir construiu | destruir destruiu demolir demoliu
entrar entrou chegar chegou | sair saiu partir partiu
permitir permitiu | proibir proibiu
introduzir introduziu | abolir aboliu
primeiro primeira | último última
maior | menor
norte | sul
leste | oeste
`,
  es: `
aceptar aceptó aprobar aprobó | rechazar rechazó rehusar rehusó
ganar ganó vencer venció victoria | perder perdió derrota
abrir abrió abierto inaugurar inauguró | cerrar cerró cerrado clausurar clausuró
subir subió aumentar aumentó crecer creció | bajar bajó disminuir disminuyó caer cayó
nacer nació nacimiento | morir murió muerte
empezar empezó comenzar comenzó inicio | acabar acabó terminar terminó fin
comprar compró <> vender vendió
construir construyó | destruir destruyó demoler demolió
entrar entró llegar llegó | salir salió partir partió
permitir permitió | prohibir prohibió
introducir introdujo | abolir abolió
primero primera | último última
mayor | menor
norte | sur
este | oeste
`,
  it: `
accettare accettò approvare approvò | rifiutare rifiutò respingere respinse
vincere vinse vittoria | perdere perse sconfitta
aprire aprì aperto inaugurare inaugurò | chiudere chiuse chiuso
salire salì aumentare aumentò crescere crebbe | scendere scese diminuire diminuì calare calò
nascere nacque nascita | morire morì morte
iniziare iniziò cominciare cominciò inizio | finire finì terminare terminò fine
comprare comprò acquistare acquistò <> vendere vendette
costruire costruì | distruggere distrusse demolire demolì
entrare entrò arrivare arrivò | uscire uscì partire partì
permettere permise | vietare vietò proibire proibì
introdurre introdusse | abolire abolì
primo prima | ultimo ultima
maggiore | minore
nord | sud
est | ovest
`,
  de: `
annehmen annahm angenommen akzeptierte zustimmte | ablehnen ablehnte abgelehnt lehnte verweigerte
gewinnen gewann gewonnen sieg | verlieren verlor verloren niederlage
öffnen öffnete geöffnet eröffnet eröffnete eröffnung | schließen schloss geschlossen schließung
steigen stieg gestiegen zunahm wuchs gewachsen | fallen fiel gefallen sinken sank gesunken abnahm
geboren geburt | starb gestorben sterben tod
beginnen begann begonnen anfang beginn | enden endete ende
kaufen kaufte gekauft erwarb <> verkaufen verkaufte verkauft
bauen baute gebaut errichtet errichtete | zerstören zerstörte zerstört abgerissen
eintreten beitreten beitrat | austreten austrat
erlauben erlaubte erlaubt | verbieten verbot verboten
einführen einführte eingeführt | abschaffen abschaffte abgeschafft
erste erster ersten erstes | letzte letzter letzten letztes
größte größter größten | kleinste kleinster kleinsten
norden | süden
osten | westen
`,
  fr: `
accepter accepta accepté approuver approuva | refuser refusa refusé rejeter rejeta
gagner gagna gagné remporta vainquit victoire | perdre perdit perdu défaite
ouvrir ouvrit ouvert inaugurer inaugura | fermer ferma fermé
monter monta augmenter augmenta croître | descendre descendit diminuer diminua baisser baissa chuta
naître naquit né née naissance | mourir mourut mort
commencer commença débuter débuta début | finir finit terminer termina fin
acheter acheta acheté <> vendre vendit vendu
construire construisit construit | détruire détruisit détruit démolir démolit
entrer entra arriver arriva | sortir sortit partir partit quitter quitta
permettre permit permis | interdire interdit
introduire introduisit introduit | abolir abolit aboli
premier première | dernier dernière
nord | sud
est | ouest
`,
};

/** Turn a word into its opposite; what remains must be a word of the other text. */
const PREFIXES: Partial<Record<Language, RegExp>> = {
  en: /^(?:un|dis|non|de|in|im|il|ir)(?=\p{L}{4})/u,
  pt: /^(?:des|in|im|i(?=[lr]))(?=\p{L}{4})/u,
  es: /^(?:des|in|im|i(?=[lr]))(?=\p{L}{4})/u,
  it: /^(?:dis|s|in|im|il|ir)(?=\p{L}{5})/u,
  de: /^un(?=\p{L}{4})/u,
  fr: /^(?:dé|dés|in|im|il|ir)(?=\p{L}{4})/u,
};
/** Words that only look made by such a prefix. */
const NOT_PREFIXED =
  /^(?:discover|display|disease|distract|discourse|dissolv|dismiss|disguise|district|dispatch|distill|unit|union|univers|deliver|demand|depart|detail|default|defend|describ|descri|design|deserv|desert|declar|defin|develop|deport|depos|deput|import|impress|improv|impos|imply|impl|inform|increas|inclu|intend|intent|intens|invent|invest|involv|install|instan|inter|indeed|industr|inspir|instruct|insist|income|input|inland|inside|invok|insect|inflam|indu|illustr)/;

/** What an opposition is made of. */
interface Opposition {
  sides: readonly [ReadonlySet<string>, ReadonlySet<string>];
  /** The same event seen from its other party: who is sold to, buys. */
  converse: boolean;
}

/**
 * How two words stand to each other: `opposite`, or `converse` where they tell one event from the sides of its two parties (buy and sell), so that
 * they contradict each other only of the same party.
 */
export type Opposite = 'opposite' | 'converse';

const oppositionsOf = new Map<Language, ReadonlyMap<string, readonly Opposition[]>>();

/** A word as it is written in small letters, and its stem. */
export interface Stemmed {
  lower: string;
  term: string;
}

/** Whether two words contradict each other; undefined when they do not, or when they do in one sense and mean the same in another. */
export function oppositionOf(a: Stemmed, b: Stemmed, language: Language): Opposite | undefined {
  if (a.term === b.term) return undefined;
  const shared = oppositions(language).get(a.term) ?? [];
  let found: Opposite | undefined;
  for (const { sides, converse } of shared) {
    const own = sides.find((side) => side.has(a.term))!;
    const other = sides[0] === own ? sides[1] : sides[0];
    // "Decline" is on both sides of rising and refusing: what means the same somewhere is not held against a sentence.
    if (own.has(b.term)) return undefined;
    if (other.has(b.term)) found ??= converse ? 'converse' : 'opposite';
  }
  return found ?? (isNegatedForm(a, b, language) || isNegatedForm(b, a, language) ? 'opposite' : undefined);
}

/** Whether two words stand on the same side of an opposition. */
export function onSameSide(a: string, b: string, language: Language): boolean {
  return (oppositions(language).get(a) ?? []).some(({ sides }) => sides.some((s) => s.has(a) && s.has(b)));
}

/** `illegal` of `legal`, `disapprove` of `approve`. */
function isNegatedForm(long: Stemmed, short: Stemmed, language: Language): boolean {
  // Most pairs are told apart by a look at their letters.
  if (long.lower.length <= short.lower.length || !long.lower.includes(short.lower.slice(0, 4))) return false;
  const prefix = PREFIXES[language]?.exec(long.lower)?.[0];
  if (!prefix || NOT_PREFIXED.test(long.lower)) return false;
  return stem(long.lower.slice(prefix.length), language) === short.term;
}

function oppositions(language: Language): ReadonlyMap<string, readonly Opposition[]> {
  let map = oppositionsOf.get(language);
  if (!map) {
    const built = new Map<string, Opposition[]>();
    for (const line of OPPOSITIONS[language].trim().split('\n')) {
      const converse = line.includes('<>');
      const [a, b] = line.split(converse ? '<>' : '|').map(
        (side) =>
          new Set(
            side
              .trim()
              .split(' ')
              .map((word) => termOf(word, language) ?? word),
          ),
      ) as [Set<string>, Set<string>];
      const opposition = { sides: [a, b], converse } as const;
      for (const term of [...a, ...b]) built.set(term, [...(built.get(term) ?? []), opposition]);
    }
    map = built;
    oppositionsOf.set(language, map);
  }
  return map;
}
