import ts from 'typescript';

/** Modules whose exports a block of the documentation may use without importing them, in order of precedence. */
export const IMPLIED_MODULES = [
  'nestjs-tools',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/config',
  '@ai-sdk/openai',
] as const;

/** Name by which a block exports its registrations of the module, numbered from 0. */
export const REGISTRATION = 'registration';

/**
 * Makes a module of a block. The conventions, so that blocks stay short:
 * - what the {@link IMPLIED_MODULES} export need not be imported;
 * - `app` is a running Nest app with the module in it;
 * - a statement `ToolsModule.forRoot(…)` or `forRootAsync(…)` is what would stand in `imports`; the module exports it;
 * - `sha256:…` stands for a hash;
 * - `it(name, test)` runs the test; the module exports what it returns as `checks`.
 *
 * @param exportsOf names that a module exports
 */
export function moduleOfBlock(text: string, exportsOf: (module: string) => ReadonlySet<string>): string {
  const source = ts.createSourceFile('block.ts', text, ts.ScriptTarget.ES2022, true);
  const known = declaredNames(source);
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isMemberName(node)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);

  const imports = IMPLIED_MODULES.flatMap((module) => {
    const names = [...used].filter((name) => !known.has(name) && exportsOf(module).has(name));
    names.forEach((name) => known.add(name));
    return names.length > 0 ? [`import { ${names.join(', ')} } from '${module}';`] : [];
  });
  const app = used.has('app') && !known.has('app');
  return [
    ...imports,
    app ? `declare const app: import('@nestjs/common').INestApplication;` : '',
    used.has('it') ? IT : '',
    namedRegistrations(source).replaceAll('sha256:…', `sha256:${'0'.repeat(64)}`),
    'export {};',
  ].join('\n');
}

/** Tests in a block run at once: it is itself run by a test. */
const IT = `
export const checks: unknown[] = [];
const it = (_name: string, test: () => unknown): void => void checks.push(test());`;

/** The text with each registration that stands as a statement exported under a name. */
function namedRegistrations(source: ts.SourceFile): string {
  let text = source.text;
  const registrations = source.statements.filter(
    (statement) =>
      ts.isExpressionStatement(statement) && /^ToolsModule\s*\.forRoot/.test(statement.getText(source)),
  );
  registrations.reverse().forEach((statement, index) => {
    const number = registrations.length - 1 - index;
    const at = statement.getStart(source);
    text = `${text.slice(0, at)}export const ${REGISTRATION}${number} = ${text.slice(at)}`;
  });
  return text;
}

/** Names that the block declares or imports itself. */
function declaredNames(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node);
    if (declares && node.name && ts.isIdentifier(node.name)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** Whether an identifier only names a member, as in `.name` or `{ name: … }`. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent) || ts.isMethodDeclaration(parent)) &&
    parent.name === node
  );
}
