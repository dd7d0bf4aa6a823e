import { createHash } from 'node:crypto';
import { folded } from '../search/ranking/analyzer.js';
import type { Language } from '../text/languages.js';

/** Which columns of a table hold what. A column that is left out is not used. */
export interface Columns {
  /** Absolute address of a page. `upsert` needs a unique index on it. */
  url: string;
  /** Markdown, plain text or HTML. */
  text: string;
  title?: string;
  /** ISO 639-1 or BCP 47. */
  language?: string;
  /** Of the type `date`, `timestamp` or `timestamptz`. */
  publishedAt?: string;
  /** The words of title and text: a generated column of the type `tsvector`, as `createSchema()` makes it. Default `search`. */
  search?: string;
}

const OWN_COLUMNS: Columns = {
  url: 'url',
  title: 'title',
  text: 'text',
  language: 'language',
  publishedAt: 'published_at',
};

const CONFIGURATIONS: Readonly<Record<Language, string>> = {
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
};
const PLAIN = 'simple';
/** So much of a text is searched, characters: a `tsvector` holds at most 1 MB. A plain bound. */
const MAX_SEARCHED = 200_000;
/** Characters that join words; they stand between words here, as in the index of `documents()`. */
const JOINERS = '-./:_';
/** Punctuation and blanks outside ASCII: a database whose LC_CTYPE is C takes them for letters. */
const PUNCTUATION = '[\\u00a0¡§«¶·»¿\\u2010-\\u203a]';
/** Combining diacritics. Without them, a text in NFD has the words of the same text in NFC. */
const MARKS = '[\\u0300-\\u036f]';
/** The letters whose capitals and diacritics make no difference in any database: Latin-1, then Latin Extended-A and four of Romanian. */
const LATIN_1 = markedLetters(0xc0, 0xff);
const EXTENDED = [...markedLetters(0x100, 0x17f), ...markedLetters(0x218, 0x21b)];

function markedLetters(first: number, last: number): string[] {
  const all = Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i));
  return all.filter((c) => /\p{L}/u.test(c) && bare(c) !== c);
}

function bare(letter: string): string {
  return folded(letter.toLowerCase());
}

/**
 * Expression for the text of a `tsvector` or `tsquery` whose words have no diacritics, as `folded` makes them in this process.
 *
 * @param source expression for the text that the words come from. `translate` compares each character with all letters that it is given, so it
 *   gets none that the source cannot have
 */
export function foldedSql(words: string, source: string): string {
  const isSingle = (c: string): boolean => bare(c).length === 1;
  const [common, others] = [LATIN_1.filter(isSingle), EXTENDED.filter(isSingle)];
  const given = (range: string, letters: readonly string[]): string =>
    `CASE WHEN ${source} ~ '[${range}]' THEN '${letters.join('')}' ELSE '' END`;
  const from = `${given('À-ț', common)} || ${given('Ā-ț', others)}`;
  const ligatures = [...LATIN_1, ...EXTENDED].filter((c) => !isSingle(c));
  const replaced = ligatures.reduce((sql, c) => `replace(${sql}, '${c}', '${bare(c)}')`, words);
  return `translate(${replaced}, ${from}, '${[...common, ...others].map(bare).join('')}')`;
}

/** A table of pages, and the SQL that depends on its names. All names are quoted. */
export class Table {
  readonly sql: string;
  readonly columns: Columns & { search: string };

  constructor(
    readonly name: string,
    columns: Columns = OWN_COLUMNS,
    private readonly language: Language | undefined,
  ) {
    this.sql = name.split('.').map(quoted).join('.');
    const named = Object.entries({ search: 'search', ...columns }).filter(
      ([, column]) => column !== undefined,
    );
    this.columns = Object.fromEntries(
      named.map(([key, column]) => [key, quoted(column)]),
    ) as unknown as Table['columns'];
  }

  get configurations(): string[] {
    if (this.columns.language) return [...Object.values(CONFIGURATIONS), PLAIN];
    return this.language ? [CONFIGURATIONS[this.language], PLAIN] : [PLAIN];
  }

  /** Expression for the words of the title. The same text in the index and in a query, so that the index is used. */
  get titleVector(): string {
    const { title } = this.columns;
    return title ? this.vectorOf(title, (words) => words) : `''::tsvector`;
  }

  /** Expression for all words of a page, those of the title with weight A. */
  get pageVector(): string {
    // Words have their places as stems; a second time they would only take room.
    const text = this.vectorOf(`left(${this.columns.text}, ${MAX_SEARCHED})`, (words) => `strip(${words})`);
    return this.columns.title ? `(setweight(${this.titleVector}, 'A') || ${text})` : `(${text})`;
  }

  /** The words of a text without diacritics: as stems, and as they are, since the configurations of languages drop some (`Weg`, `Estado`). */
  private vectorOf(text: string, plain: (words: string) => string): string {
    const words = (configuration: string): string => `to_tsvector(${configuration}, ${this.words(text)})`;
    const vector = `${words(this.configuration)} || ${plain(words(constant(PLAIN)))}`;
    return `${foldedSql(`(${vector})::text`, text)}::tsvector`;
  }

  /** A text whose words are separated as they are here, for the parser of PostgreSQL, whatever the locale of the database. */
  words(text: string): string {
    const unmarked = `regexp_replace(coalesce(${text}, ''), '${MARKS}', '', 'g')`;
    const separated = `regexp_replace(${unmarked}, '${PUNCTUATION}', ' ', 'g')`;
    return `translate(${separated}, '${JOINERS}', '${' '.repeat(JOINERS.length)}')`;
  }

  /** Expressions for the columns of a page, named as the fields of a document. A time is in UTC. */
  get page(): string {
    const { url, title = 'NULL', text, language = 'NULL' } = this.columns;
    const known = this.language ? `coalesce(${language}, '${this.language}')` : language;
    const time = `to_char(${this.published}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
    return `${url} AS url, ${title} AS title, coalesce(${text}, '') AS text, ${known} AS language, replace(${time}, 'T00:00:00Z', '') AS "publishedAt"`;
  }

  /** Expression for the date of a page. The zone of every transaction is UTC. */
  get published(): string {
    return `${this.columns.publishedAt ?? 'NULL'}::timestamp`;
  }

  /** Expression for the language of a page, ISO 639-1; empty where it is not known. */
  get pageLanguage(): string {
    const tag = `coalesce(${this.columns.language ?? 'NULL'}, '${this.language ?? ''}')`;
    return `split_part(replace(lower(${tag}), '_', '-'), '-', 1)`;
  }

  /**
   * SQL that makes the table and its indexes, each only where it is missing. In a table that is there already it adds the column `search` and
   * the indexes, which takes a lock and rewrites the table once.
   */
  get schemaSql(): string {
    const { url, title, text, language, publishedAt, search } = this.columns;
    const columns = [
      `${url} text PRIMARY KEY`,
      ...(title ? [`${title} text NOT NULL DEFAULT ''`] : []),
      `${text} text NOT NULL`,
      ...(language ? [`${language} text`] : []),
      ...(publishedAt ? [`${publishedAt} timestamptz`] : []),
    ];
    const index = (kind: string, what: string): string =>
      `CREATE INDEX IF NOT EXISTS ${indexName(this.name, kind)} ON ${this.sql} USING gin (${what})`;
    const titleIndex = [...this.name.split('.').slice(0, -1).map(quoted), indexName(this.name, 'title')].join(
      '.',
    );
    const statements = [
      `CREATE TABLE IF NOT EXISTS ${this.sql} (\n  ${columns.join(',\n  ')}\n)`,
      `DO $nestjs_tools$ BEGIN
IF ${this.searchStateSql} = 'outdated' THEN
  ALTER TABLE ${this.sql} DROP COLUMN ${search};
  DROP INDEX IF EXISTS ${titleIndex};
END IF;
IF ${this.searchStateSql} = 'absent' THEN
  ALTER TABLE ${this.sql} ADD COLUMN ${search} tsvector GENERATED ALWAYS AS ${this.pageVector} STORED;
  COMMENT ON COLUMN ${this.sql}.${search} IS '${this.searchVersion}';
END IF;
END $nestjs_tools$`,
      index('search', search),
      ...(title ? [index('title', `(${this.titleVector})`)] : []),
    ];
    return `${statements.join(';\n')};\n`;
  }

  /**
   * Expression that tells the state of the column `search`: `absent`, `outdated` where another version of nestjs-tools or other options have
   * made it, else `current`. A column that the host fills itself is current.
   */
  get searchStateSql(): string {
    const column = `FROM pg_attribute WHERE attrelid = to_regclass('${this.sql}') AND attname = trim('"' FROM '${this.columns.search}') AND NOT attisdropped`;
    return `coalesce((SELECT CASE WHEN attgenerated <> '' AND col_description(attrelid, attnum) IS DISTINCT FROM '${this.searchVersion}' THEN 'outdated' ELSE 'current' END ${column}), 'absent')`;
  }

  /** Comment of the column `search`: changes with the expression that makes it. */
  private get searchVersion(): string {
    return `nestjs-tools ${createHash('sha256').update(this.pageVector).digest('hex').slice(0, 12)}`;
  }

  get vectorsSql(): string {
    const [name, schema] = this.name.split('.').reverse();
    return [...(schema ? [schema] : []), `${name}_vectors`].map(quoted).join('.');
  }

  /** Expression for the type of the table of vectors, as {@link vectorType} names it; null where there is none, or one of an earlier form. */
  get vectorsTypeSql(): string {
    return `(SELECT t.typname || '(' || e.atttypmod || ')' FROM pg_attribute AS e JOIN pg_type AS t ON t.oid = e.atttypid JOIN pg_attribute AS m USING (attrelid)
         WHERE attrelid = to_regclass('${this.vectorsSql}') AND e.attname = 'embedding' AND m.attname = 'model')`;
  }

  /**
   * SQL that makes the table of vectors and its indexes where they are missing and the extension `vector` is installed. A table for another
   * type of vectors is made anew: `embed()` fills it.
   */
  vectorSchemaSql(dimensions: number): string {
    const type = vectorType(dimensions);
    return `DO $nestjs_tools$ BEGIN
IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') THEN
  RETURN;
END IF;
IF to_regclass('${this.vectorsSql}') IS NOT NULL AND ${this.vectorsTypeSql} IS DISTINCT FROM '${type}' THEN
  DROP TABLE ${this.vectorsSql};
END IF;
CREATE TABLE IF NOT EXISTS ${this.vectorsSql} (
  url text NOT NULL,
  part integer NOT NULL,
  model text NOT NULL,
  version text NOT NULL,
  passage text NOT NULL,
  embedding ${type} NOT NULL,
  PRIMARY KEY (url, part)
);
CREATE INDEX IF NOT EXISTS ${indexName(this.name, 'models')} ON ${this.vectorsSql} (model);
CREATE INDEX IF NOT EXISTS ${indexName(this.name, 'vectors')} ON ${this.vectorsSql} USING hnsw (embedding ${type.replace(/\(.*/, '')}_cosine_ops);
END $nestjs_tools$;
`;
  }

  private get configuration(): string {
    const { language } = this.columns;
    if (!language) return constant(this.language ? CONFIGURATIONS[this.language] : PLAIN);
    const cases = Object.entries(CONFIGURATIONS).map(
      ([code, name]) => `WHEN '${code}' THEN ${constant(name)}`,
    );
    return `CASE ${this.pageLanguage} ${cases.join(' ')} ELSE ${constant(PLAIN)} END`;
  }
}

function constant(configuration: string): string {
  return `'pg_catalog.${configuration}'::regconfig`;
}

/** The type of a column of vectors: an HNSW index takes a `vector` of at most 2,000 dimensions, and a `halfvec` of at most 4,000. */
export function vectorType(dimensions: number): string {
  return `${dimensions > 2000 ? 'halfvec' : 'vector'}(${dimensions})`;
}

/** Whether a name can be a table or a column: letters, digits and `_`, at most 63 bytes. */
export function isIdentifier(name: unknown): name is string {
  return typeof name === 'string' && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && Buffer.byteLength(name) <= 63;
}

export function isTableName(name: unknown): name is string {
  return typeof name === 'string' && name.split('.').length <= 2 && name.split('.').every(isIdentifier);
}

/** Name of an index of a table, quoted; PostgreSQL cuts it at 63 bytes. */
function indexName(table: string, kind: string): string {
  return quoted(`${table.split('.').at(-1)!.slice(0, 40)}_nestjs_tools_${kind}`);
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
