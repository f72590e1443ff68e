// The names that an entry point exports.
import ts from 'typescript-api';
import type { Side } from './side.ts';

export interface Names {
  symbols: ReadonlyMap<string, ts.Symbol>;
  // Names of a package that is not there may be among them.
  isOpen: boolean;
  // The module is written for `require`: importing it gives the whole module as its default.
  isAssigned: boolean;
}

// The names of a module; null for a file that is none.
export function namesOf(side: Side, path: string): Names | null {
  const file = side.program.getSourceFile(path);
  const module = file && side.checker.getSymbolAtLocation(file);
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
  return { symbols, isOpen: isOpen(side, module), isAssigned: assigned !== undefined };
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
  for (const file of side.program.getSourceFiles()) {
    if (!side.installation.owns(file.fileName) || ts.isExternalModule(file)) continue;
    for (const [name] of (file as unknown as { locals?: ts.SymbolTable }).locals ?? []) {
      const symbol = side.checker.resolveName(String(name), undefined, ts.SymbolFlags.All, false);
      // What the language declares, too, stays.
      const isAdded = symbol?.declarations?.some((one) => side.program.isSourceFileDefaultLibrary(one.getSourceFile()));
      if (symbol && !isAdded && isOwn(symbol) && !String(name).startsWith('"')) globals.set(String(name), symbol);
    }
  }
  return { modules, globals };
}
