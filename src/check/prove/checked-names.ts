// Where a project means a changed name, by the types of its values: the declarations that the name has in the installed package
// are looked for behind every member of the project's files that is called like it.
import ts from 'typescript-api';
import type { Finding } from '../../domain/evidence/finding.ts';
import { camelName } from '../../domain/uses/asked-name.ts';
import type { SourceFile } from '../../domain/uses/project.ts';
import type { Place } from '../../domain/uses/use.ts';
import { type CheckedName, nameKey } from '../../domain/uses/use-of.ts';
import { type ProjectProgram, projectPrograms } from './programs.ts';
import type { ProjectHost } from './project-host.ts';

export interface WantedNames {
  package: string;
  findings: readonly Finding[];
}

interface Target {
  key: string;
  word: string;
  declarations: ReadonlySet<ts.Node>;
}

const LOOKED_FOR = new Set<Finding['kind']>([
  'export_removed',
  'member_removed',
  'became_type_only',
  'parameter_required',
  'parameter_narrowed',
  'result_changed',
  'type_changed',
]);

export function checkNames(
  host: ProjectHost,
  files: readonly SourceFile[],
  wanted: readonly WantedNames[],
): Map<string, CheckedName> {
  const found = new Map<string, { places: Place[]; isComplete: boolean; isKnown: boolean }>();
  for (const { package: name, findings } of wanted) {
    for (const one of findings) {
      if (LOOKED_FOR.has(one.kind)) found.set(nameKey(name, one), { places: [], isComplete: true, isKnown: false });
    }
  }
  for (const made of projectPrograms(host, files)) {
    const checker = made.program.getTypeChecker();
    const targets = wanted.flatMap((one) => targetsOf(one, made, host));
    for (const { key } of targets) {
      const entry = found.get(key);
      if (entry) entry.isKnown = true;
    }
    const byWord = Map.groupBy(targets, ({ word }) => word);
    for (const file of made.files) {
      const words = new Map([...byWord].filter(([word]) => file.text.includes(word)));
      if (words.size === 0) continue;
      const path = file.fileName.slice(host.root.length + 1);
      const visit = (node: ts.Node): void => {
        const word = wordOf(node);
        for (const target of (word === null ? undefined : words.get(word)) ?? []) {
          const meant = meaningOf(checker, node, target);
          const entry = found.get(target.key);
          if (!entry || meant === 'other') continue;
          if (meant === 'unknown') entry.isComplete = false;
          else
            entry.places.push({ file: path, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 });
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
  }
  // Components are not seen by the checker.
  const unseen = files.filter(({ path }) => /\.(?:vue|svelte|astro)$/i.test(path));
  return new Map(
    [...found].flatMap(([key, { places, isComplete, isKnown }]) => {
      const word =
        key
          .slice(key.lastIndexOf(' ') + 1)
          .split('#')[0]
          ?.split('.')
          .at(-1) ?? '';
      const isSeen = !unseen.some(({ text }) => text.includes(word));
      return isKnown ? [[key, { places, isComplete: isComplete && isSeen }] as const] : [];
    }),
  );
}

function targetsOf({ package: name, findings }: WantedNames, made: ProjectProgram, host: ProjectHost): Target[] {
  const checker = made.program.getTypeChecker();
  const modules = new Map<string, readonly ts.Symbol[]>();
  return findings.flatMap((finding) => {
    if (!LOOKED_FOR.has(finding.kind)) return [];
    const specifier = name + finding.subpath.slice(1);
    const known = modules.get(specifier) ?? modulesNamed(specifier, made, host);
    modules.set(specifier, known);
    const parts = finding.name.split('#')[0]?.split('.') ?? [];
    const declarations = new Set(known.flatMap((symbol) => declarationsOf(checker, symbol, parts, name)));
    return declarations.size === 0 ? [] : [{ key: nameKey(name, finding), word: parts.at(-1) ?? '', declarations }];
  });
}

// The modules that the project gets by a specifier.
function modulesNamed(
  specifier: string,
  { program, files: [from] }: ProjectProgram,
  host: ProjectHost,
): readonly ts.Symbol[] {
  if (!from) return [];
  const options = program.getCompilerOptions();
  const paths = [ts.ModuleKind.ESNext, ts.ModuleKind.CommonJS].flatMap((mode) => {
    const { resolvedModule } = ts.resolveModuleName(
      specifier,
      from.fileName,
      options,
      host.compilerHost(options),
      undefined,
      undefined,
      mode as ts.ResolutionMode,
    );
    return resolvedModule?.resolvedFileName ?? [];
  });
  return [...new Set(paths)].flatMap((path) => {
    const file = program.getSourceFile(path);
    return (file && program.getTypeChecker().getSymbolAtLocation(file)) ?? [];
  });
}

function declarationsOf(
  checker: ts.TypeChecker,
  module: ts.Symbol,
  parts: readonly string[],
  packageName: string,
): ts.Node[] {
  const [first = '', ...rest] = parts;
  const whole = module.exports?.get(ts.InternalSymbolName.ExportEquals);
  const exported = checker.getExportsOfModule(module);
  const isWhole = first === 'default' || first === camelName(packageName);
  const named = exported.filter(({ name }) => name === first || (isWhole && name === 'default'));
  let symbols = [...named, ...(whole && isWhole && rest.length > 0 ? [whole] : [])].map((one) =>
    resolved(checker, one),
  );
  for (const part of rest) symbols = symbols.flatMap((symbol) => membersOf(checker, symbol, part));
  return symbols.flatMap(({ declarations = [] }) => declarations);
}

function membersOf(checker: ts.TypeChecker, symbol: ts.Symbol, name: string): ts.Symbol[] {
  const found: (ts.Symbol | undefined)[] = [];
  if (symbol.flags & (ts.SymbolFlags.Module | ts.SymbolFlags.Enum)) {
    found.push(...checker.getExportsOfModule(symbol).filter((one) => one.name === name));
  }
  if (symbol.flags & ts.SymbolFlags.Type)
    found.push(...propertiesOf(checker, checker.getDeclaredTypeOfSymbol(symbol), name));
  if (symbol.flags & ts.SymbolFlags.Value) found.push(...propertiesOf(checker, checker.getTypeOfSymbol(symbol), name));
  return found.flatMap((one) => (one ? [resolved(checker, one)] : []));
}

function propertiesOf(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Symbol[] {
  const apparent = checker.getApparentType(type);
  const parts = apparent.isUnion() ? apparent.types : [apparent];
  return parts.flatMap((part) => checker.getPropertyOfType(part, name) ?? []);
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function wordOf(node: ts.Node): string | null {
  return ts.isIdentifier(node) || ts.isStringLiteralLike(node) ? node.text : null;
}

type Meant = 'this' | 'other' | 'unknown';

function meaningOf(checker: ts.TypeChecker, node: ts.Node, target: Target): Meant {
  const { parent } = node;
  const word = (node as ts.Identifier).text;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return memberOf(checker, parent.expression, word, target);
  if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) {
    return memberOf(checker, parent.expression, word, target);
  }
  if (
    ts.isBindingElement(parent) &&
    (parent.propertyName ?? parent.name) === node &&
    ts.isObjectBindingPattern(parent.parent)
  ) {
    return typeHas(checker, checker.getTypeAtLocation(parent.parent), word, target);
  }
  if (
    (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) &&
    parent.name === node
  ) {
    if (!ts.isObjectLiteralExpression(parent.parent)) return 'other';
    const context = checker.getContextualType(parent.parent);
    // An object without a type of its own may be given to anything.
    return context ? typeHas(checker, context, word, target) : 'unknown';
  }
  if (ts.isJsxAttribute(parent) && parent.name === node) {
    const context = checker.getContextualType(parent.parent);
    return context ? typeHas(checker, context, word, target) : 'unknown';
  }
  if (ts.isQualifiedName(parent) && parent.right === node) return symbolIs(checker, node, target);
  if (ts.isLiteralTypeNode(parent) && ts.isIndexedAccessTypeNode(parent.parent)) {
    return typeHas(checker, checker.getTypeFromTypeNode(parent.parent.objectType), word, target);
  }
  return 'other';
}

function symbolIs(checker: ts.TypeChecker, node: ts.Node, { declarations }: Target): Meant {
  const symbol = checker.getSymbolAtLocation(node);
  if (!symbol) return 'unknown';
  return resolved(checker, symbol).declarations?.some((one) => declarations.has(one)) ? 'this' : 'other';
}

function memberOf(checker: ts.TypeChecker, object: ts.Expression, word: string, target: Target): Meant {
  const symbol = checker.getSymbolAtLocation(object);
  if (symbol && resolved(checker, symbol).flags & ts.SymbolFlags.Module) {
    const inside = checker.getExportsOfModule(resolved(checker, symbol)).find(({ name }) => name === word);
    if (inside && resolved(checker, inside).declarations?.some((one) => target.declarations.has(one))) return 'this';
  }
  return typeHas(checker, checker.getTypeAtLocation(object), word, target);
}

function typeHas(checker: ts.TypeChecker, type: ts.Type, word: string, { declarations }: Target): Meant {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return 'unknown';
  const symbols = propertiesOf(checker, checker.getNonNullableType(type), word);
  const isThis = symbols.some((one) =>
    resolved(checker, one).declarations?.some((declared) => declarations.has(declared)),
  );
  if (isThis) return 'this';
  // A type that is not known completely may have it.
  return symbols.length === 0 && type.flags & ts.TypeFlags.TypeParameter ? 'unknown' : 'other';
}
