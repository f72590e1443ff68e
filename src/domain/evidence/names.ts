// The names that an entry point exports.
import ts from 'typescript-api';
import type { Side } from './side.ts';

export interface Names {
  symbols: ReadonlyMap<string, ts.Symbol>;
  // Names of a package that is not there may be among them.
  isOpen: boolean;
  // The module is written for `require`: importing it gives the whole module as its default.
  isAssigned: boolean;
  // Names that only `export type * from …` passes on.
  typeOnly: ReadonlySet<string>;
}

// The names of a module; null for a file that is none.
export function namesOf(side: Side, path: string): Names | null {
  const file = side.program.getSourceFile(path);
  const module = file && side.checker.getSymbolAtLocation(file);
  return module ? namesOfModule(side, module) : null;
}

// The names of an entry point whose file declares modules by their names: `declare module 'lamp/bulb'`.
export function namesOfDeclared(side: Side, subpath: string): Names | null {
  const specifier = `"${side.installation.specifier(subpath)}"`;
  const module = side.checker.getAmbientModules().find(({ name }) => name === specifier);
  return module ? namesOfModule(side, module) : null;
}

export function namesOfModule(side: Side, module: ts.Symbol): Names {
  const symbols = new Map<string, ts.Symbol>();
  const assigned = module.exports?.get(ts.InternalSymbolName.ExportEquals);
  for (const symbol of side.checker.getExportsOfModule(module)) {
    // A class that is the module itself exports its static members, and every class has a prototype.
    if (symbol.name !== 'prototype') symbols.set(symbol.name, symbol);
  }
  if (assigned) symbols.set('default', assigned);
  const typeOnly = typeOnlyNames(side, module);
  return { symbols, isOpen: isOpen(side, module), isAssigned: assigned !== undefined, typeOnly };
}

function typeOnlyNames(side: Side, module: ts.Symbol): Set<string> {
  const stars = (module.exports?.get(ts.InternalSymbolName.ExportStar)?.declarations ?? []).filter(
    ts.isExportDeclaration,
  );
  const found = new Set<string>();
  const whole = new Set<string>();
  for (const star of stars) {
    const target = star.moduleSpecifier && side.checker.getSymbolAtLocation(star.moduleSpecifier);
    if (target && stars.some(({ isTypeOnly }) => isTypeOnly)) {
      for (const { name } of side.checker.getExportsOfModule(target)) (star.isTypeOnly ? found : whole).add(name);
    }
  }
  return new Set([...found].filter((name) => !whole.has(name) && !module.exports?.has(name as ts.__String)));
}

const MAX_MODULES = 5_000;

// Whether a module re-exports everything from a module that is not there.
function isOpen(side: Side, module: ts.Symbol): boolean {
  const seen = new Set<ts.Symbol>([module]);
  for (const one of seen) {
    if (seen.size > MAX_MODULES) return true;
    const assigned = one.exports?.get(ts.InternalSymbolName.ExportEquals);
    if (assigned) {
      if (side.isUnknown(assigned)) return true;
      seen.add(side.target(assigned));
    }
    for (const declaration of one.exports?.get(ts.InternalSymbolName.ExportStar)?.declarations ?? []) {
      const specifier = ts.isExportDeclaration(declaration) ? declaration.moduleSpecifier : undefined;
      const target = specifier && side.checker.getSymbolAtLocation(specifier);
      if (!target) return true;
      seen.add(target);
    }
  }
  return false;
}

interface Ambient {
  // Modules that the package declares by name.
  modules: Map<string, ts.Symbol>;
  globals: Map<string, ts.Symbol>;
}

// What a package declares for everyone: modules by name and global names.
export function ambientOf(side: Side): Ambient {
  const isOwn = (symbol: ts.Symbol) =>
    symbol.declarations?.some((one) => side.installation.owns(one.getSourceFile().fileName)) ?? false;
  const modules = new Map<string, ts.Symbol>();
  for (const symbol of side.checker.getAmbientModules()) {
    const name = symbol.name.replaceAll('"', '');
    if (isOwn(symbol) && !name.startsWith('/')) modules.set(name, symbol);
  }
  const globals = new Map<string, ts.Symbol>();
  for (const name of globalNames(side)) {
    const symbol = globalOf(side, name);
    // What the language declares, too, stays.
    const isAdded = symbol?.declarations?.some((one) => side.program.isSourceFileDefaultLibrary(one.getSourceFile()));
    if (symbol && !isAdded && isOwn(symbol) && !name.startsWith('"')) globals.set(name, symbol);
  }
  return { modules, globals };
}

// A name as everyone sees it, wherever it is declared.
export function globalOf({ checker }: Side, name: string): ts.Symbol | undefined {
  return checker.resolveName(name, undefined, ts.SymbolFlags.All, false);
}

// What the compiler knows of a file or a node and does not declare.
interface Bound {
  locals?: ts.SymbolTable;
  symbol?: ts.Symbol;
  moduleAugmentations?: readonly ts.Node[];
}

// At the top of files that are no modules, and in `declare global`.
function globalNames({ installation, program }: Side): Set<string> {
  const tables = program
    .getSourceFiles()
    .filter(({ fileName }) => installation.owns(fileName))
    .flatMap((file) => {
      const { locals, moduleAugmentations = [] }: Bound = file as ts.SourceFile & Bound;
      const augmented = moduleAugmentations
        .filter(ts.isIdentifier)
        .map(({ parent }) => (parent as ts.Node & Bound).symbol?.exports);
      return ts.isExternalModule(file) ? augmented : [locals, ...augmented];
    });
  return new Set(tables.flatMap((table) => [...(table?.keys() ?? [])].map(String)));
}
