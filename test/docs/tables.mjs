/**
 * Writes the tables of docs/reference.md from `openapi.json`, and those of docs/options.md from the comments of the option types in `lib`.
 * `npm run openapi` runs it. A table stands between two comments:
 *
 *     <!-- request NAME -->      fields of the request class NAME
 *     <!-- response NAME -->     fields of the response class NAME
 *     <!-- options NAME PREFIX [NAME PREFIX …] -->    members of interfaces, each after its prefix (`-`: none); `own:NAME`: without inherited ones
 *     <!-- end -->
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = ['docs/reference.md', 'docs/options.md'];

// Fields

function reader({ components: { schemas } }) {
  const resolved = (schema) => {
    const { $ref } = schema.allOf?.[0] ?? schema;
    return $ref ? schemas[$ref.split('/').at(-1)] : schema;
  };
  const schemaOf = (name) => {
    if (!schemas[name]) throw new Error(`openapi.json has no ${name}`);
    return schemas[name];
  };
  const typeOf = (field) => resolved(field).type ?? field.oneOf?.map(({ type }) => type).join(' or ');

  const request = (name) => {
    const { properties, required = [] } = schemaOf(name);
    const rows = Object.entries(properties).map(([field, schema]) => {
      const { standard: described, text } = withoutDefault(meaning(schema));
      const standard = schema.default === undefined ? described : `\`${JSON.stringify(schema.default)}\``;
      return [`\`${field}\``, typeOf(schema), required.includes(field) ? 'required' : standard, text];
    });
    return table(['field', 'type', 'default', 'meaning'], rows);
  };

  const rowsOf = (schema, prefix = '') => {
    const { properties = {}, required = [] } = resolved(schema);
    return Object.entries(properties).flatMap(([name, field]) => {
      const path = `${prefix}${name}`;
      const { type, items } = resolved(field);
      const below = items ? rowsOf(items, `${path}[].`) : rowsOf(field, `${path}.`);
      return [
        [`\`${path}\``, `${type}${required.includes(name) ? '' : ', optional'}`, meaning(field)],
        ...below,
      ];
    });
  };
  const response = (name) => table(['field', 'type', 'meaning'], rowsOf(schemaOf(name)));
  return { request, response };
}

/** The description, with the values and bounds that it does not name. */
function meaning({ description = '', enum: values = [], minimum, maximum, minLength, maxLength, maxItems }) {
  const bounds = (least, most, of) =>
    most === undefined || description.includes(String(most))
      ? []
      : [
          `${least === undefined ? 'At most' : `${least.toLocaleString('en')} to`} ${most.toLocaleString('en')}${of}`,
        ];
  const isListed = values.every((value) => description.includes(`\`${value}\``));
  return [
    ...(description === '' ? [] : [description.replace(/\.$/, '')]),
    ...(isListed ? [] : [values.map((value) => `\`${value}\``).join(', ')]),
    ...bounds(minimum, maximum, ''),
    ...bounds(minLength, maxLength, ' characters'),
    ...bounds(undefined, maxItems, ' of them'),
  ].join('. ');
}

/** A description without the sentence about the default, and that default. */
function withoutDefault(text) {
  const [whole, standard = ''] = /\s?\bDefault:? ((?:`[^`]*`|\([^)]*\)|[^.(`]|\.(?=\S))+)\.?/.exec(text) ?? [
    '',
  ];
  return { standard, text: text.replace(whole, '').replace(/\.$/, '').trim() };
}

// Options

/** The members of each interface of `lib`, with those that it inherits. */
function interfacesOfLib() {
  const interfaces = new Map();
  const files = readdirSync(join(ROOT, 'lib'), { recursive: true }).filter((file) => file.endsWith('.ts'));
  for (const file of files) {
    const text = readFileSync(join(ROOT, 'lib', file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    source.forEachChild((node) => {
      if (ts.isInterfaceDeclaration(node)) interfaces.set(node.name.text, node);
    });
  }
  return interfaces;
}

function membersOf(interfaces, wanted) {
  const [, alone, name] = /^(own:)?(\w+)$/.exec(wanted);
  const declared = interfaces.get(name);
  if (!declared) throw new Error(`lib has no interface ${name}`);
  const parents = alone ? [] : (declared.heritageClauses?.flatMap(({ types }) => types) ?? []);
  const inherited = parents.flatMap(({ expression }) =>
    interfaces.has(expression.getText()) ? membersOf(interfaces, expression.getText()) : [],
  );
  const own = declared.members.map((member) => [member.name.getText(), commentOf(member)]);
  const names = new Set(own.map(([member]) => member));
  return [...inherited.filter(([member]) => !names.has(member)), ...own];
}

/** What the comment of a member says, apart from its default. */
function commentOf(member) {
  const [comment] = ts.getJSDocCommentsAndTags(member);
  const text = (ts.getTextOfJSDocComment(comment?.comment) ?? '').replace(/\s+/g, ' ').trim();
  const plain = (words) => words.replace(/\{@link (\w+)\}/g, '`$1`').replace(/\{@link \w+\.(\w+)\}/g, '`$1`');
  const deprecated = ts.getJSDocDeprecatedTag(member);
  if (deprecated) {
    const why = ts.getTextOfJSDocComment(deprecated.comment) ?? '';
    return { standard: '', text: `deprecated: ${plain(why).replace(/\s+/g, ' ').replace(/\.$/, '')}` };
  }
  return withoutDefault(plain(text));
}

function options(interfaces, pairs) {
  const rows = [];
  for (let i = 0; i < pairs.length; i += 2)
    for (const [name, { standard, text }] of membersOf(interfaces, pairs[i]))
      rows.push([`\`${pairs[i + 1] === '-' ? '' : pairs[i + 1]}${name}\``, standard, text]);
  return table(['option', 'default', 'meaning'], rows);
}

// Pages

const cell = (text) => text.replace(/\|/g, '\\|').replace(/\n/g, ' ');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** The page with its tables written anew. */
export async function withTables(page) {
  const { request, response } = reader(JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')));
  const interfaces = interfacesOfLib();
  const makers = {
    request: ([name]) => request(name),
    response: ([name]) => response(name),
    options: (pairs) => options(interfaces, pairs),
  };
  const text = page.replace(
    /<!-- (request|response|options) (.*?) -->\n[\s\S]*?<!-- end -->/g,
    (_, kind, what) => `<!-- ${kind} ${what} -->\n\n${makers[kind](what.split(' '))}\n\n<!-- end -->`,
  );
  return prettier.format(text, {
    ...(await prettier.resolveConfig(join(ROOT, PAGES[0]))),
    parser: 'markdown',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const page of PAGES) {
    const file = join(ROOT, page);
    writeFileSync(file, await withTables(readFileSync(file, 'utf8')));
    console.log(`${page} written`);
  }
