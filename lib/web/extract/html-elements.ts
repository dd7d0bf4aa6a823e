/** Elements whose text is never part of the page's prose. */
export const SKIPPED_ELEMENTS = new Set(
  (
    'script style noscript template svg iframe frame object embed applet canvas audio video map ' +
    'select datalist button textarea progress meter dialog noembed noframes rp rt annotation ' +
    'annotation-xml'
  ).split(' '),
);

/** Elements that begin and end a block of text. */
export const BLOCK_ELEMENTS = new Set(
  (
    'address article aside blockquote body caption center dd details dir div dl dt fieldset ' +
    'figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html legend li main menu nav ' +
    'ol p pre search section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

/** Elements that have no content and no end tag. */
export const VOID_ELEMENTS = new Set(
  'area base basefont bgsound br col frame hr img input keygen link meta param source track wbr'.split(' '),
);

/** Elements that end an open SVG or MathML (HTML standard, tree construction in foreign content). */
export const BREAKOUTS = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ' +
    'ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);

/** The elements that a new element of this name ends, and those that stop it (HTML standard, optional tags). */
export const IMPLIED_ENDS: Record<string, { ended: string[]; within: string[] }> = {
  li: { ended: ['li'], within: ['ul', 'ol', 'menu', 'dir'] },
  dt: { ended: ['dt', 'dd'], within: ['dl'] },
  dd: { ended: ['dt', 'dd'], within: ['dl'] },
  tr: { ended: ['tr'], within: ['table'] },
  td: { ended: ['td', 'th'], within: ['table', 'tr'] },
  th: { ended: ['td', 'th'], within: ['table', 'tr'] },
  tbody: { ended: ['thead', 'tbody', 'tfoot'], within: ['table'] },
  tfoot: { ended: ['thead', 'tbody', 'tfoot'], within: ['table'] },
  thead: { ended: ['thead', 'tbody', 'tfoot'], within: ['table'] },
};

/** Block elements of a page that are read. A page of ordinary markup has so many in 2 to 4 MiB. A plain bound. */
export const MAX_ELEMENTS = 40_000;
