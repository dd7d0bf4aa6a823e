import { join } from 'node:path';
import ts from 'typescript';

/** Files outside of the documentation, which all programs read once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** A program over files of the documentation, in which `nestjs-tools` means this package. */
export function programOf(root: string, files: readonly string[]): ts.Program {
  const config = ts.readConfigFile(join(root, 'test/tsconfig.spec.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, join(root, 'test'));
  const settings = {
    ...options,
    noEmit: true,
    // Without the types of a browser's document, which a program reads for nothing.
    lib: ['lib.es2022.d.ts'],
    noUnusedLocals: false,
    noUnusedParameters: false,
    paths: {
      'nestjs-tools': [join(root, 'lib/index.ts')],
      'nestjs-tools/agents': [join(root, 'lib/agents/index.ts')],
      'nestjs-tools/postgres': [join(root, 'lib/postgres/index.ts')],
      'nestjs-tools/queue': [join(root, 'lib/queue/index.ts')],
      'nestjs-tools/redis': [join(root, 'lib/redis/index.ts')],
      'nestjs-tools/extractive': [join(root, 'lib/embedded/summary/index.ts')],
    },
  };
  const host = ts.createCompilerHost(settings);
  const { getSourceFile } = host;
  host.getSourceFile = (file, ...how) => {
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...how));
    return parsed.get(file);
  };
  return ts.createProgram(files, settings, host);
}

/** What TypeScript has to say about one file, each with the line it is about; empty when all is well. */
export function complaintsAbout(program: ts.Program, file: string): string[] {
  const source = program.getSourceFile(file)!;
  return ts.getPreEmitDiagnostics(program, source).map(({ messageText, start = 0 }) => {
    const { line } = source.getLineAndCharacterOfPosition(start);
    return `${source.text.split('\n')[line]!.trim()}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

/**
 * Names that modules export, types and values.
 * @param file one of the program that has an `export * as … from` for each of the modules
 */
export function exportedNames(program: ts.Program, file: string): Map<string, Set<string>> {
  const checker = program.getTypeChecker();
  const found = new Map<string, Set<string>>();
  for (const statement of program.getSourceFile(file)!.statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) continue;
    const symbol = checker.getSymbolAtLocation(statement.moduleSpecifier);
    const names = symbol ? checker.getExportsOfModule(symbol).map(({ name }) => name) : [];
    found.set((statement.moduleSpecifier as ts.StringLiteral).text, new Set(names));
  }
  return found;
}
