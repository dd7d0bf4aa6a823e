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

/** Columns of the table that `createSchema()` makes. */
const OWN_COLUMNS: Columns = {
  url: 'url',
  title: 'title',
  text: 'text',
  language: 'language',
  publishedAt: 'published_at',
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
const PLAIN = 'simple';
/** So much of a text is searched, characters: a `tsvector` holds at most 1 MB. */
const MAX_SEARCHED = 200_000;
/** Characters that join words; they stand between words here, as in the index of `documents()`. */
const JOINERS = '-./:_';

/** A table of pages, and the SQL that depends on its names. All names are quoted. */
export class Table {
  readonly sql: string;
  /** Quoted names. */
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

  /** The configurations that pages may be indexed with. */
  get configurations(): string[] {
    const byDefault = this.language ? CONFIGURATIONS[this.language] : PLAIN;
    return this.columns.language
      ? [...new Set([...Object.values(CONFIGURATIONS), byDefault, PLAIN])]
      : [byDefault];
  }

  /** Expression for the words of the title. The same text in the index and in a query, so that the index is used. */
  get titleVector(): string {
    const { title } = this.columns;
    return title ? `to_tsvector(${this.configuration}, ${this.words(title)})` : `''::tsvector`;
  }

  /** Expression for all words of a page, those of the title with weight A. */
  get pageVector(): string {
    const start = `left(${this.columns.text}, ${MAX_SEARCHED})`;
    const text = `to_tsvector(${this.configuration}, ${this.words(start)})`;
    return this.columns.title ? `(setweight(${this.titleVector}, 'A') || ${text})` : `(${text})`;
  }

  /** A text whose words are separated as they are here, for the parser of PostgreSQL. */
  words(text: string): string {
    return `translate(coalesce(${text}, ''), '${JOINERS}', '${' '.repeat(JOINERS.length)}')`;
  }

  /** Expressions for the columns of a page: `url`, `title`, `text`, `language` and `published`, which is in UTC, without a zone. */
  get page(): string {
    const { url, title = 'NULL', text, language = 'NULL' } = this.columns;
    const published = `to_char(${this.published}, 'YYYY-MM-DD"T"HH24:MI:SS')`;
    return `${url} AS url, ${title} AS title, ${text} AS text, ${language} AS language, ${published} AS published`;
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
    const statements = [
      `CREATE TABLE IF NOT EXISTS ${this.sql} (\n  ${columns.join(',\n  ')}\n)`,
      `ALTER TABLE ${this.sql} ADD COLUMN IF NOT EXISTS ${search} tsvector GENERATED ALWAYS AS ${this.pageVector} STORED`,
      index('search', search),
      ...(title ? [index('title', `(${this.titleVector})`)] : []),
    ];
    return `${statements.join(';\n')};\n`;
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
    const constant = (name: string): string => `'pg_catalog.${name}'::regconfig`;
    const { language } = this.columns;
    if (!language) return constant(this.language ? CONFIGURATIONS[this.language] : PLAIN);
    const cases = Object.entries(CONFIGURATIONS).map(
      ([code, name]) => `WHEN '${code}' THEN ${constant(name)}`,
    );
    return `CASE ${this.pageLanguage} ${cases.join(' ')} ELSE ${constant(PLAIN)} END`;
  }
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

/** A name as SQL writes it, with its upper and lower case. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
