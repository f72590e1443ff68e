// The names that scripts without declarations export by plain syntax. They are likely: code can add and take away names.
import ts from 'typescript-api';
import { entryScript } from './entry-points.ts';
import type { Found } from './finding.ts';
import type { PackageFiles } from './package-files.ts';

const MAX_FILES = 300;
const MAX_SCRIPT_SIZE = 2_000_000;

export function plainFindings(old: PackageFiles, next: PackageFiles, subpaths: readonly string[]): Found[] {
  const [before, after] = [new Scripts(old), new Scripts(next)];
  return subpaths.flatMap((subpath) => {
    const [was, is] = [before.names(subpath), after.names(subpath)];
    if (was === null || is === null || is.isOpen) return [];
    return [...was.names]
      .filter((name) => !is.names.has(name) && !name.startsWith('_'))
      .map((name) => ({
        kind: name === 'default' ? ('default_export_changed' as const) : ('export_removed' as const),
        name,
        subpath,
        certainty: 'likely' as const,
        was: 'exported',
        is: null,
        text: name === 'default' ? lostDefaultText(was.ownName, is.names) : `\`${name}\` is no longer exported`,
      }));
  });
}

export function lostDefaultText(own: string | null, names: { has(name: string): boolean }): string {
  return `there is no default export any more${own !== null && names.has(own) ? `; \`${own}\` is exported by name` : ''}`;
}

interface PlainNames {
  names: Set<string>;
  // What the default is called in its file.
  ownName: string | null;
  // Something else than names may be exported, too.
  isOpen: boolean;
}

// The names of one file, and the files whose names it passes on.
interface Script extends PlainNames {
  passedOn: string[];
}

// The scripts of a package; each is parsed once, however many subpaths lead to it.
export class Scripts {
  readonly #files: PackageFiles;
  readonly #read = new Map<string, Script | null>();

  constructor(files: PackageFiles) {
    this.#files = files;
  }

  // The names that an entry point gives to who loads it; null for one that is no script.
  names(subpath: string): PlainNames | null {
    const entry = entryScript(this.#files, subpath);
    if (entry === null) return null;
    const found: PlainNames = { names: new Set(), ownName: null, isOpen: false };
    const seen = new Set([entry]);
    for (const path of seen) {
      const script = seen.size > MAX_FILES ? null : this.#script(path);
      if (script === null) {
        found.isOpen = true;
        continue;
      }
      // A star passes on every name but the default.
      for (const name of script.names) if (name !== 'default' || path === entry) found.names.add(name);
      for (const next of script.passedOn) seen.add(next);
      if (script.isOpen) found.isOpen = true;
      if (path === entry) found.ownName = script.ownName;
    }
    return found;
  }

  #script(path: string): Script | null {
    const known = this.#read.get(path);
    if (known !== undefined) return known;
    const text = this.#files.texts.get(path);
    const script = text === undefined || text.length > MAX_SCRIPT_SIZE ? null : this.#parsed(path, text);
    this.#read.set(path, script);
    return script;
  }

  #parsed(path: string, text: string): Script {
    const script: Script = { names: new Set(), ownName: null, isOpen: false, passedOn: [] };
    new ScriptReader(path, text, (target) => {
      const next = resolved(this.#files, path, target);
      if (next === null) script.isOpen = true;
      else script.passedOn.push(next);
    }).read(script);
    return script;
  }
}

class ScriptReader {
  readonly #file: ts.SourceFile;
  readonly #follow: (specifier: string) => void;

  constructor(path: string, text: string, follow: (specifier: string) => void) {
    this.#file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
    this.#follow = follow;
  }

  read(found: PlainNames): void {
    const add = (name: string) => {
      found.names.add(name);
    };
    for (const statement of this.#file.statements) {
      if (ts.isExportDeclaration(statement)) this.#exportDeclaration(statement, add);
      else if (ts.isExportAssignment(statement)) add('default');
      else if (ts.canHaveModifiers(statement) && isExported(statement)) this.#declaration(statement, add);
      else if (ts.isExpressionStatement(statement)) this.#expression(statement.expression, found, add);
    }
  }

  // What a function does to the `exports` that it is given, as bundlers wrap modules.
  #wrapped(call: ts.CallExpression, found: PlainNames, add: (name: string) => void): boolean {
    const body = call.arguments.find(
      (one): one is ts.FunctionExpression | ts.ArrowFunction =>
        (ts.isFunctionExpression(one) || ts.isArrowFunction(one)) && one.parameters[0]?.name.getText() === 'exports',
    )?.body;
    if (!body || !ts.isBlock(body)) return false;
    for (const statement of body.statements)
      if (ts.isExpressionStatement(statement)) this.#expression(statement.expression, found, add);
    return true;
  }

  // `__export(exports, { a: () => a })` and `Object.assign(exports, { a })`.
  #given(call: ts.CallExpression, add: (name: string) => void): boolean {
    const [target, value] = call.arguments;
    if (!target || !isExportsObject(target) || !value || !ts.isObjectLiteralExpression(value)) return false;
    for (const { name } of value.properties) {
      if (!name || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) return false;
      add(name.text);
    }
    return true;
  }

  #exportDeclaration({ exportClause, moduleSpecifier }: ts.ExportDeclaration, add: (name: string) => void): void {
    if (!exportClause) {
      if (moduleSpecifier && ts.isStringLiteral(moduleSpecifier)) this.#follow(moduleSpecifier.text);
    } else if (ts.isNamespaceExport(exportClause)) add(exportClause.name.text);
    else for (const { name } of exportClause.elements) add(name.text);
  }

  #declaration(statement: ts.Statement, add: (name: string) => void): void {
    const isDefault =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    if (isDefault) add('default');
    else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) if (ts.isIdentifier(name)) add(name.text);
    } else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name) {
      add(statement.name.text);
    }
  }

  // `exports.a = …`, `module.exports = {…}`, `module.exports = require('./a')` and what compilers write.
  #expression(expression: ts.Expression, found: PlainNames, add: (name: string) => void): void {
    if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const target = expression.left;
      // `exports = module.exports = …` says the same twice.
      if (isModuleExports(target) || isExportsAgain(target, expression)) this.#assigned(expression.right, found, add);
      else if (ts.isPropertyAccessExpression(target) && isExportsObject(target.expression)) add(target.name.text);
      if (ts.isBinaryExpression(expression.right)) this.#expression(expression.right, found, add);
    } else if (isAnnotation(expression)) this.#expression(expression.right, found, add);
    else if (ts.isCallExpression(expression)) {
      const [first, second] = expression.arguments;
      if (expression.expression.getText().endsWith('defineProperty') && first && isExportsObject(first)) {
        if (second && ts.isStringLiteral(second) && second.text !== '__esModule') add(second.text);
      } else if (/__exportStar$|__reExport$/.test(expression.expression.getText())) {
        for (const argument of expression.arguments) this.#required(argument);
      } else if (this.#given(expression, add) || this.#wrapped(expression, found, add)) {
        return;
      } else if (/\bexports\b/.test(expression.getText().slice(0, 400))) found.isOpen = true;
    } else if (ts.isParenthesizedExpression(expression)) this.#expression(expression.expression, found, add);
  }

  #assigned(value: ts.Expression, found: PlainNames, add: (name: string) => void): void {
    if (ts.isObjectLiteralExpression(value)) {
      for (const property of value.properties) {
        if (ts.isSpreadAssignment(property) && this.#required(property.expression)) continue;
        if (property.name && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)))
          add(property.name.text);
        else found.isOpen = true;
      }
    } else if (isFunctionOrClass(value)) add('default');
    else if (ts.isIdentifier(value)) {
      // Who requires or imports such a module calls or makes the module itself.
      const isKnown = this.#isFunctionOrClass(value.text);
      if (isKnown) {
        add('default');
        found.ownName = value.text;
      }
      if (!isKnown || !this.#addsNames(value.text, add)) found.isOpen = true;
    }
    // What was bundled says its names beside it.
    else if (!isBundled(value) && !this.#required(value) && !ts.isBinaryExpression(value)) found.isOpen = true;
  }

  // Whether a name of the file's own stands for a function or class, and for nothing else.
  #isFunctionOrClass(name: string): boolean {
    const declared = this.#file.statements.flatMap((statement): boolean[] => {
      if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
        return statement.name?.text === name ? [true] : [];
      }
      if (!ts.isVariableStatement(statement)) return [];
      return statement.declarationList.declarations
        .filter((one) => ts.isIdentifier(one.name) && one.name.text === name)
        .map(({ initializer }) => initializer !== undefined && isFunctionOrClass(initializer));
    });
    return declared.length === 1 && declared[0] === true;
  }

  // `Lamp.on = …` for what the module is; false where something else may add names to it.
  #addsNames(own: string, add: (name: string) => void): boolean {
    let isPlain = true;
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && node.text === own) {
        const { parent } = node;
        const isAccess = ts.isPropertyAccessExpression(parent) && parent.expression === node;
        if (isAccess) {
          const { parent: use } = parent;
          if (ts.isBinaryExpression(use) && use.left === parent && use.operatorToken.kind === ts.SyntaxKind.EqualsToken)
            add(parent.name.text);
        } else if (ts.isCallExpression(parent) && parent.expression !== node) isPlain = false;
        else if (ts.isElementAccessExpression(parent) && parent.expression === node) isPlain = false;
      }
      ts.forEachChild(node, visit);
    };
    visit(this.#file);
    return isPlain;
  }

  #required(value: ts.Expression): boolean {
    if (!ts.isCallExpression(value) || value.expression.getText() !== 'require') return false;
    const [specifier] = value.arguments;
    if (!specifier || !ts.isStringLiteral(specifier)) return false;
    this.#follow(specifier.text);
    return true;
  }
}

function isExported(statement: ts.Statement): boolean {
  return Boolean(
    ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  );
}

function isFunctionOrClass(value: ts.Expression): boolean {
  return ts.isFunctionExpression(value) || ts.isArrowFunction(value) || ts.isClassExpression(value);
}

function isModuleExports(node: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(node) && node.getText() === 'module.exports';
}

function isBundled(value: ts.Expression): boolean {
  return ts.isCallExpression(value) && value.expression.getText() === '__toCommonJS';
}

function isExportsAgain(target: ts.Expression, { right }: ts.BinaryExpression): boolean {
  return target.getText() === 'exports' && ts.isBinaryExpression(right) && isModuleExports(right.left);
}

// `0 && (module.exports = { a })`, which is never run and tells other tools the names.
function isAnnotation(expression: ts.Expression): expression is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken &&
    expression.left.getText() === '0'
  );
}

function isExportsObject(node: ts.Expression): boolean {
  return node.getText() === 'exports' || isModuleExports(node);
}

function resolved({ paths }: PackageFiles, from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const path = new URL(specifier, `file:///${from}`).pathname.slice(1).replace(/\/$/, '');
  const candidates = ['', '.js', '.cjs', '.mjs', '/index.js', '/index.cjs'].map((ending) => path + ending);
  return candidates.find((candidate) => paths.has(candidate) && /\.[cm]?js$/.test(candidate)) ?? null;
}
