import type { Language } from '../../core/text/index.js';

/** Words of one language that decide how the others of a sentence hang together. */
export interface ClaimWords {
  /** Open a clause or join two: what stands behind them may be another matter. */
  joints: ReadonlySet<string>;
  /** Open an adjunct, which may stand before or behind its clause. */
  prepositions: ReadonlySet<string>;
  /** Stand for somebody or something that was named before. */
  pronouns: ReadonlySet<string>;
  /** Form the passive, name who acts in it, and what the verb looks like. */
  be: ReadonlySet<string>;
  by: ReadonlySet<string>;
  participle: RegExp;
  /** Make less of a statement, or another: none may be left out. Whole words of a lower-case text. */
  hedges: RegExp;
  /** Function words that change what is said: none may be added or left out beside what they stand with. */
  limits: ReadonlySet<string>;
  /** May be added: they say nothing of the matter. */
  framing: ReadonlySet<string>;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const whole = (words: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.replaceAll(' ', '|')})(?![\\p{L}\\p{N}])`, 'gu');

/** Compiled once; see {@link ClaimWords}. */
export const CLAIM_WORDS: Record<Language, ClaimWords> = {
  en: {
    joints: set(
      'and or but while whereas which who whom whose that when where because before after until since although though if nor',
    ),
    prepositions: set(
      'in on at by with from during after before since until for to of under over within without near between through as because when',
    ),
    pronouns: set('he she it they his her its their this these that those such him them'),
    be: set('is are was were be been being'),
    by: set('by'),
    participle:
      /^(?:run|cut|put|hit|won|hung|dug|drunk|begun|hurt|shut|shot|struck|stuck|shrunk|read)$|(?:ed|en|ne|wn|ght|ood|uilt|ung|unk|ost|old|ound|ade|ept|elt|eft|ead|ut|et|id|ent)$/,
    hedges: whole(
      'if unless whether may might could would should will shall perhaps possibly probably allegedly reportedly supposedly hardly barely rarely seldom legend legends myth rumour rumor according claim claims claimed alleged believed thought supposed said says denied deny denies doubted planned proposed expected failed attempted attempt tried former fake false fictional mythical imaginary unsuccessful almost nearly half partly except',
    ),
    limits: set(
      'more most less least fewer only all every both never always before after until since without against under over above below up down few many',
    ),
    framing: set('approximately roughly according source sources around'),
  },
  pt: {
    joints: set('e ou mas enquanto que quem quando onde porque antes depois até desde embora se nem'),
    prepositions: set(
      'em no na nos nas a ao à de do da dos das por para com durante sob sobre entre desde até após antes depois quando',
    ),
    pronouns: set('ele ela eles elas seu sua seus suas este esta isto esse essa isso'),
    be: set('é são foi foram era eram ser sido sendo'),
    by: set('por pelo pela pelos pelas'),
    participle: /(?:[ai]d[oa]s?|st[oa]s?|it[oa]s?)$/,
    hedges: whole(
      'se talvez possivelmente provavelmente supostamente alegadamente pode podem poderia poderá será serão segundo lenda mito afirma afirmou alega negou nega acreditava acreditava-se planejado previsto falso antigo ex quase metade exceto',
    ),
    limits: set(
      'mais menos só todos todas ambos nunca sempre antes depois até desde sem contra sob sobre muito',
    ),
    framing: set('aproximadamente cerca segundo fonte fontes'),
  },
  es: {
    joints: set(
      'y e o u pero mientras que quien quienes cuando donde porque antes después hasta desde aunque si ni',
    ),
    prepositions: set(
      'en a al de del por para con durante bajo sobre entre desde hasta tras antes después cuando',
    ),
    pronouns: set('él ella ellos ellas su sus este esta esto ese esa eso'),
    be: set('es son fue fueron era eran ser sido siendo'),
    by: set('por'),
    participle: /(?:[ai]d[oa]s?|ch[oa]s?|rt[oa]s?|st[oa]s?|it[oa]s?)$/,
    hedges: whole(
      'si quizás quizá tal posiblemente probablemente supuestamente presuntamente puede pueden podría será serán según leyenda mito afirma afirmó alega negó niega creía creía-se planeado previsto falso antiguo ex casi mitad excepto salvo',
    ),
    limits: set(
      'más menos sólo solo todos todas ambos nunca siempre antes después hasta desde sin contra bajo sobre muy',
    ),
    framing: set('aproximadamente cerca según fuente fuentes unos unas'),
  },
  it: {
    joints: set('e ed o ma mentre che chi quando dove perché prima dopo fino sebbene se né'),
    prepositions: set(
      'in nel nella nei nelle a al alla di del della dei delle da dal dalla per con durante sotto su sul sulla tra fra dopo prima fino quando',
    ),
    pronouns: set('egli lui lei esso essa essi loro suo sua suoi sue questo questa quello quella'),
    be: set('è sono fu furono era erano essere stato stata stati state viene vengono venne vennero'),
    by: set('da dal dallo dalla dai dagli dalle'),
    participle: /(?:[aiu]t[oaie]|tt[oaie]|s[oaie]|rt[oaie]|nt[oaie]|st[oaie])$/,
    hedges: whole(
      'se forse possibilmente probabilmente presumibilmente presunto può possono potrebbe sarà saranno secondo leggenda mito afferma affermò sostiene negò nega credeva riteneva previsto progettato falso ex quasi metà tranne eccetto',
    ),
    limits: set('più meno solo soltanto tutti tutte entrambi mai sempre prima dopo senza contro sotto molto'),
    framing: set('circa approssimativamente secondo fonte fonti'),
  },
  de: {
    joints: set(
      'und oder aber sondern während der die das den dem deren dessen wenn wo weil bevor nachdem bis seit obwohl ob dass daß denn',
    ),
    prepositions: set(
      'in im am an auf aus bei beim mit nach von vom vor zu zum zur über unter zwischen durch für ohne um bis seit während als',
    ),
    pronouns: set('er sie es ihr ihre sein seine ihren seinen dieser diese dieses'),
    be: set('wird werden wurde wurden worden ist sind war waren'),
    by: set('von vom durch'),
    participle: /^(?:ge|be|er|ver|ent|zer|über|unter|.{2,}ge).*(?:t|en)$|iert$/,
    hedges: whole(
      'ob falls wenn vielleicht möglicherweise wahrscheinlich vermutlich angeblich kaum selten kann könnte könnten soll sollen wird werde laut legende sage mythos behauptet behauptete bestreitet bestritt glaubte glaubten geplant geplante erwartet falsch ehemalige ehemaliger ehemals fast beinahe halb außer',
    ),
    limits: set('mehr weniger nur alle beide nie immer vor nach bis seit ohne gegen unter über sehr'),
    framing: set('etwa ungefähr rund circa laut quelle quellen'),
  },
  fr: {
    joints: set('et ou mais tandis qui que qu dont quand où parce car avant après jusque jusqu depuis si ni'),
    prepositions: set(
      'en dans à au aux de du des d par pour avec pendant sous sur entre depuis après avant vers chez quand',
    ),
    pronouns: set('il elle ils elles son sa ses leur leurs ce cet cette ces celui celle cela ceci'),
    be: set('est sont fut furent était étaient être été'),
    by: set('par'),
    participle: /(?:é|ée|és|ées|i|ie|is|ies|u|ue|us|ues|it|ite|its|ites|ert|erte|eint|einte)$/,
    hedges: whole(
      'si peut-être peut peuvent pourrait sera seront possiblement probablement prétendument selon légende mythe affirme affirma prétend prétendu nia nie croyait pensait prévu projeté faux ancien ancienne ex presque moitié sauf',
    ),
    limits: set(
      'plus moins seulement tous toutes jamais toujours avant après depuis sans contre sous sur très',
    ),
    framing: set('environ approximativement selon source sources'),
  },
};
