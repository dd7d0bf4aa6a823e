import { InvalidOptionError } from '../core/errors.js';
import type { Language } from '../core/text/languages.js';
import { SearchProviderError } from '../search/providers/search-provider.error.js';
import type { Ask } from './connection.js';

/** Names of the columns that are read and written. */
export interface Columns {
  /** Absolute address of a page. `upsert` needs a unique index on it. */
  url: string;
  title: string;
  /** Markdown, plain text or HTML. */
  text: string;
  /** ISO 639-1 or BCP 47. */
  language: string;
  /** Of the type `date`, `timestamp` or `timestamptz`. */
  publishedAt: string;
  /** The words of title and text, a generated column of the type `tsvector`. */
  search: string;
}

/** Columns of the table that `createSchema()` makes. */
export const DEFAULT_COLUMNS: Columns = {
  url: 'url',
  title: 'title',
  text: 'text',
  language: 'language',
  publishedAt: 'published_at',
  search: 'search',
};

/** PostgreSQL's text search configuration of each language that pages are searched in by word stems. */
const CONFIGURATIONS: Readonly<Record<Language, string>> = {
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
};
/** For every other language: words as they are. */
const PLAIN = 'simple';
/** So much of a text is searched, characters: a `tsvector` holds at most 1 MB. */
const MAX_SEARCHED = 200_000;
/** Characters that join words; they stand between words here, as in the index of `documents()`. */
const JOINERS = '-./:_';

/** What a table is called in SQL, and how its pages are read. All names are quoted. */
export class Table {
  readonly sql: string;
  /** Quoted names. */
  readonly columns: Columns;

  /**
   * @param name `table` or `schema.table`, as {@link isTableName} accepts it
   * @param given names of columns, as {@link isIdentifier} accepts them
   * @param language of pages that have none
   */
  constructor(
    readonly name: string,
    private readonly given: Partial<Columns>,
    private readonly language: Language | undefined,
  ) {
    this.sql = name.split('.').map(quoted).join('.');
    const names = { ...DEFAULT_COLUMNS, ...given };
    this.columns = Object.fromEntries(
      Object.entries(names).map(([key, column]) => [key, quoted(column as string)]),
    ) as unknown as Columns;
  }

  /** The configurations that pages may be indexed with. */
  configurations({ hasLanguage }: TableShape): string[] {
    const byDefault = this.language ? CONFIGURATIONS[this.language] : PLAIN;
    return hasLanguage ? [...new Set([...Object.values(CONFIGURATIONS), byDefault, PLAIN])] : [byDefault];
  }

  /** Expression for the words of the title. The same text in the index and in a query, so that the index is used. */
  titleVector(shape: Pick<TableShape, 'hasLanguage' | 'hasTitle'>): string {
    return shape.hasTitle
      ? `to_tsvector(${this.configuration(shape)}, ${this.words(this.columns.title)})`
      : `''::tsvector`;
  }

  /** Expression for all words of a page, those of the title with weight A. */
  pageVector(shape: Pick<TableShape, 'hasLanguage' | 'hasTitle'>): string {
    const text = `to_tsvector(${this.configuration(shape)}, ${this.words(`left(${this.columns.text}, ${MAX_SEARCHED})`)})`;
    return shape.hasTitle ? `(setweight(${this.titleVector(shape)}, 'A') || ${text})` : `(${text})`;
  }

  /** A text whose words are separated as they are here, for the parser of PostgreSQL. */
  words(text: string): string {
    return `translate(coalesce(${text}, ''), '${JOINERS}', '${' '.repeat(JOINERS.length)}')`;
  }

  /**
   * SQL that makes the table and its indexes, each only where it is missing. In a table that is there already it adds the column `search` and
   * the indexes, which takes a lock and rewrites the table once.
   */
  schemaSql(): string {
    const { url, title, text, language, publishedAt, search } = this.columns;
    const full = { hasLanguage: true, hasTitle: true };
    const vector = `${search} tsvector GENERATED ALWAYS AS ${this.pageVector(full)} STORED`;
    return `CREATE TABLE IF NOT EXISTS ${this.sql} (
  ${url} text PRIMARY KEY,
  ${title} text NOT NULL DEFAULT '',
  ${text} text NOT NULL,
  ${language} text,
  ${publishedAt} timestamptz
);
ALTER TABLE ${this.sql} ADD COLUMN IF NOT EXISTS ${vector};
CREATE INDEX IF NOT EXISTS ${this.index('search')} ON ${this.sql} USING gin (${search});
CREATE INDEX IF NOT EXISTS ${this.index('title')} ON ${this.sql} USING gin ((${this.titleVector(full)}));
`;
  }

  /**
   * Reads what the table has.
   * @throws SearchProviderError naming what is missing
   */
  async inspect(provider: string, ask: Ask): Promise<TableShape> {
    const rows = await ask<{
      name: string;
      type: string;
      demands: boolean;
      generated: boolean;
      unique: boolean;
      kind: string;
    }>(
      `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, c.relkind AS kind,
         a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS demands, a.attgenerated <> '' AS generated,
         EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indimmediate AND i.indpred IS NULL
           AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum) AS unique
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped`,
      [this.sql],
    );
    const missing = (what: string): SearchProviderError =>
      new SearchProviderError(
        provider,
        'bad_request',
        `PostgreSQL has no ${what}. Run the SQL of \`createSchema()\`, or check \`table\` and \`columns\` (names are case-sensitive).`,
      );
    if (rows.length === 0) throw missing(`table ${this.sql}`);
    const typeOf = new Map(rows.map(({ name, type }) => [name, type]));
    /** Type of a column; undefined for one that may be missing, and is. */
    const type = (key: keyof Columns, accepted: RegExp, isNeeded: boolean): string | undefined => {
      const name = this.given[key] ?? DEFAULT_COLUMNS[key];
      const found = typeOf.get(name);
      if (found === undefined && (isNeeded || this.given[key] !== undefined))
        throw missing(`column ${quoted(name)} (\`columns.${key}\`) in ${this.sql}`);
      if (found !== undefined && !accepted.test(found))
        throw new SearchProviderError(
          provider,
          'bad_request',
          `The column ${quoted(name)} (\`columns.${key}\`) of ${this.sql} has the type ${found}, which cannot be used as ${key}.`,
        );
      return found;
    };
    const text = /^(?:text|character varying|character|citext)$/;
    type('url', text, true);
    type('text', text, true);
    const shape = {
      hasTitle: type('title', text, false) !== undefined,
      hasLanguage: type('language', text, false) !== undefined,
      publishedAt: type('publishedAt', /^(?:date|timestamp.*)$/, false),
      hasSearch: type('search', /^tsvector$/, false) !== undefined,
    };
    const own: string[] = Object.entries(DEFAULT_COLUMNS).map(
      ([key, byDefault]) => this.given[key as keyof Columns] ?? byDefault,
    );
    const url = this.given.url ?? DEFAULT_COLUMNS.url;
    const search = this.given.search ?? DEFAULT_COLUMNS.search;
    const others = rows.filter(
      ({ name, demands, generated }) => demands && !generated && !own.includes(name),
    );
    const writable = [
      ...(/^[rp]$/.test(rows[0]!.kind) ? [] : ['it to be a table and not a view']),
      ...(rows.some(({ name, unique }) => name === url && unique)
        ? []
        : [`a unique index on ${quoted(url)}`]),
      ...others.map(({ name }) => `a default for ${quoted(name)}`),
      ...rows
        .filter(({ name, generated }) => name === search && !generated)
        .map(() => `${quoted(search)} to be a generated column`),
    ];
    return { ...shape, missingForUpsert: writable };
  }

  /** Expression for the date of a page in UTC, without a zone. */
  published(type: string): string {
    const { publishedAt } = this.columns;
    return /with time zone/.test(type) ? `(${publishedAt} AT TIME ZONE 'UTC')` : `${publishedAt}::timestamp`;
  }

  private configuration({ hasLanguage }: Pick<TableShape, 'hasLanguage'>): string {
    const constant = (name: string): string => `'pg_catalog.${name}'::regconfig`;
    if (!hasLanguage) return constant(this.language ? CONFIGURATIONS[this.language] : PLAIN);
    const tag = `replace(lower(coalesce(${this.columns.language}, '${this.language ?? ''}')), '_', '-')`;
    const cases = Object.entries(CONFIGURATIONS).map(([code, name]) => `WHEN '${code}' THEN ${constant(name)}`);
    return `CASE split_part(${tag}, '-', 1) ${cases.join(' ')} ELSE ${constant(PLAIN)} END`;
  }

  /** Name of an index of the table, quoted; PostgreSQL cuts it at 63 bytes. */
  private index(kind: string): string {
    return quoted(`${this.name.split('.').at(-1)!.slice(0, 40)}_nestjs_tools_${kind}`);
  }
}

/** What a table has. */
export interface TableShape {
  hasTitle: boolean;
  hasLanguage: boolean;
  /** Type of the column; undefined where there is none. */
  publishedAt: string | undefined;
  hasSearch: boolean;
  /** What `upsert` needs and the table has not, in words that follow "needs"; empty where pages can be written. */
  missingForUpsert: readonly string[];
}

/**
 * @param shape of the table
 * @throws InvalidOptionError naming everything that the table lacks
 */
export function requireWritable(
  table: Table,
  { hasTitle, hasLanguage, publishedAt, missingForUpsert }: TableShape,
): void {
  const columns = Object.entries({
    title: hasTitle,
    language: hasLanguage,
    publishedAt: publishedAt !== undefined,
  });
  const lacks = [
    ...missingForUpsert,
    ...columns.filter(([, has]) => !has).map(([key]) => `a column ${table.columns[key as keyof Columns]}`),
  ];
  if (lacks.length > 0)
    throw new InvalidOptionError(
      'postgresDocuments.table',
      `a table that pages can be written to; ${table.sql} needs ${lacks.join(', ')}`,
    );
}

/** Whether a name can be a table or a column: letters, digits, `_` and `$`, at most 63 bytes. */
export function isIdentifier(name: unknown): name is string {
  return typeof name === 'string' && /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) && Buffer.byteLength(name) <= 63;
}

/** Whether a name is `table` or `schema.table`. */
export function isTableName(name: unknown): name is string {
  return typeof name === 'string' && name.split('.').length <= 2 && name.split('.').every(isIdentifier);
}

/** A name as SQL writes it, with its upper and lower case. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
