// Where a project means a changed name, by the types of its values: the declarations that the name has in the installed package
// are looked for behind every member of the project's files that is called like it.
import ts from 'typescript-api';
import { camelName } from '../../domain/evidence/camel-name.ts';
import type { SourceFile } from '../../domain/uses/project.ts';
import { type CheckedName, type CheckedPlace, nameKey, partsOfName, wordOf } from '../../domain/uses/use-of.ts';
import { WordIndex } from '../../domain/uses/word-index.ts';
import { filesNamed, type ProjectProgram, projectPrograms } from './programs.ts';
import type { ProjectHost } from './project-host.ts';
import { isLookedFor, type WantedNames } from './wanted-names.ts';

interface Target {
  key: string;
  word: string;
  declarations: ReadonlySet<ts.Node>;
}

interface Entry {
  word: string;
  places: CheckedPlace[];
  isComplete: boolean;
  // A program has the declaration.
  isKnown: boolean;
}

export function checkNames(
  host: ProjectHost,
  files: readonly SourceFile[],
  wanted: readonly WantedNames[],
): Map<string, CheckedName> {
  const found = new Map<string, Entry>();
  for (const { package: name, findings } of wanted) {
    for (const one of findings.filter(isLookedFor)) {
      const word = wordOf(one, name);
      found.set(nameKey(name, one), { word, places: [], isComplete: true, isKnown: false });
    }
  }
  const words = [...new Set([...found.values()].map(({ word }) => word))];
  const index = new WordIndex(files, words);
  const wantedFiles = new Set(words.flatMap((word) => index.filesWith(word)));
  const isWanted = (file: SourceFile) => wantedFiles.has(file);
  for (const made of projectPrograms(host, files, { isWanted, modules: modulesOf(wanted) })) {
    const targets = wanted.flatMap((one) => targetsOf(one, made, host));
    for (const { key } of targets) {
      const entry = found.get(key);
      if (entry) entry.isKnown = true;
    }
    lookInto(
      made,
      Map.groupBy(targets, ({ word }) => word),
      (target, meant, place) => {
        const entry = found.get(target.key);
        if (!entry) return;
        if (meant === 'unknown') entry.isComplete = false;
        else entry.places.push({ ...place, file: place.file.slice(host.root.length + 1) });
      },
    );
  }
  // Components are not seen by the checker, nor is what was left out.
  const leftOut = new Set(host.leftOut());
  const unseen = files.filter(({ path }) => /\.(?:vue|svelte|astro)$/i.test(path) || leftOut.has(path));
  return new Map(
    [...found].flatMap(([key, { word, places, isComplete, isKnown }]) => {
      const isSeen = !unseen.some(({ text }) => text.includes(word));
      return isKnown ? [[key, { places, isComplete: isComplete && isSeen }] as const] : [];
    }),
  );
}

// Every place of a program where one of the words stands for a target, or may.
function lookInto(
  { program, files }: ProjectProgram,
  byWord: ReadonlyMap<string, readonly Target[]>,
  tell: (target: Target, meant: 'this' | 'unknown', place: CheckedPlace) => void,
): void {
  const checker = program.getTypeChecker();
  for (const file of files) {
    const words = new Map([...byWord].filter(([word]) => file.text.includes(word)));
    if (words.size === 0) continue;
    const visit = (node: ts.Node): void => {
      const word = textOf(node);
      for (const target of (word === null ? undefined : words.get(word)) ?? []) {
        const meant = meaningOf(checker, node, target);
        if (meant === 'other') continue;
        const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
        tell(target, meant, { file: file.fileName, line, form: formOf(node) });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
}

// What is done with the name itself, as in `x.name(…)`.
function formOf(node: ts.Node): CheckedPlace['form'] {
  const { parent } = node;
  const isMember =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) ||
    (ts.isQualifiedName(parent) && parent.right === node);
  const whole = isMember ? parent : node;
  const user = whole.parent;
  if (ts.isTypeReferenceNode(user)) return { how: 'typed', given: null };
  if (ts.isNewExpression(user) && user.expression === whole) return { how: 'made', given: null };
  if (ts.isBinaryExpression(user) && user.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) {
    return user.right === whole ? { how: 'tested', given: null } : null;
  }
  if (!ts.isCallExpression(user) || user.expression !== whole) return null;
  return { how: 'called', given: user.arguments.some(ts.isSpreadElement) ? null : user.arguments.length };
}

// Every entry point of a package that is asked about, under every name that it has here.
function modulesOf(wanted: readonly WantedNames[]): string[] {
  const all = wanted.flatMap(({ names, findings }) =>
    names.flatMap((name) => findings.map(({ subpath }) => name + subpath.slice(1))),
  );
  return [...new Set(all)];
}

function targetsOf({ package: name, names, findings }: WantedNames, made: ProjectProgram, host: ProjectHost): Target[] {
  const checker = made.program.getTypeChecker();
  const modules = new Map<string, readonly ts.Symbol[]>();
  const symbolsOf = (specifier: string) => {
    const known = modules.get(specifier) ?? modulesNamed(specifier, made, host);
    modules.set(specifier, known);
    return known;
  };
  return findings.filter(isLookedFor).flatMap((finding) => {
    const parts = partsOfName(finding.name);
    const symbols = names.flatMap((installed) => symbolsOf(installed + finding.subpath.slice(1)));
    const declarations = new Set(symbols.flatMap((symbol) => declarationsOf(checker, symbol, parts, name)));
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
  const found = filesNamed(specifier, from.fileName, options, host.compilerHost(options));
  return [...new Set(found.map(({ resolvedFileName }) => resolvedFileName))].flatMap((path) => {
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

function textOf(node: ts.Node): string | null {
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
