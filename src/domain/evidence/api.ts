// The exported names of two versions side by side: what is gone, what is no longer what it was.
import ts from 'typescript-api';
import { camelName } from './camel-name.ts';
import { declaredName, isMemberOfDefault, lostDefault } from './default-export.ts';
import { certaintyOf, type FindingKind, type Found, RANK } from './finding.ts';
import { MemberComparison } from './members.ts';
import { type Names, namesOfModule } from './names.ts';
import { Relation } from './relation.ts';
import { Roles } from './roles.ts';
import { isHidden, isMarkedHidden, type Side } from './side.ts';
import { changedSignature, type LooksAt } from './signatures.ts';
import { leastArguments } from './type-shapes.ts';
import { Unchanged } from './unchanged.ts';
import { type Call, callClients, leastTypeArguments } from './witness/calls.ts';
import type { Way } from './witness/client.ts';
import {
  defaultClients,
  heldClients,
  importClients,
  insideClients,
  typeClients,
  valueClients,
} from './witness/names.ts';
import { Values } from './witness/values.ts';

const { SymbolFlags } = ts;
const TYPES = SymbolFlags.Class | SymbolFlags.Interface | SymbolFlags.TypeAlias | SymbolFlags.Enum;
const NAMESPACES = SymbolFlags.ValueModule | SymbolFlags.NamespaceModule;
const MAX_PAIRS = 20_000;
const DEEPEST_NAMESPACE = 3;

export interface EntryPair {
  subpath: string;
  // What an import of it names; of names that are there for everyone, the package.
  specifier: string;
  isGlobal?: boolean;
  old: Names;
  next: Names;
}

// Where a finding lies, and how code reaches it.
export interface Place {
  name: string;
  subpath: string;
  way: Way;
}

interface Pair {
  way: Way;
  label: string;
  subpath: string;
  old: ts.Symbol;
  next: ts.Symbol;
  depth: number;
  // The module was one thing and still is: its names are told as those of the module.
  staysWhole?: boolean;
  // The entry point passes the name on as a type alone.
  isTypeNow?: boolean;
}

type Callee = Pick<Call, 'way' | 'member' | 'least' | 'isMade'>;

export class ApiComparison {
  readonly old: Side;
  readonly next: Side;
  readonly found: Found[] = [];
  readonly #counterparts = new Map<ts.Symbol, Set<ts.Symbol>>();
  readonly #exported = new Set<ts.Symbol>();
  readonly #seen = new Map<ts.Symbol, Set<ts.Symbol>>();
  readonly #told: Set<string>;
  readonly #removed = new Set<ts.Symbol>();
  // Labels of default exports that have no other name, by entry point.
  readonly #defaults = new Map<string, string>();
  readonly #usualName: string;
  readonly #members: MemberComparison;
  readonly relation: Relation;
  readonly unchanged: Unchanged;
  readonly values: Values;
  // Names of exports by what they stand for, of the entry point that is looked at.
  readonly #exportNames = new Map<ts.Symbol, Map<string, string>>();
  #roles: Roles | null = null;

  // `told`: names of types that were compared at other entry points; those of this comparison are added.
  constructor(old: Side, next: Side, told: Set<string>) {
    this.#told = told;
    this.old = old;
    this.next = next;
    this.#usualName = camelName(old.installation.files.name);
    this.relation = new Relation((a, b) => this.isShared(a, b));
    this.unchanged = new Unchanged(old, next, (a, b) => this.isShared(a, b));
    this.values = new Values(old);
    this.#members = new MemberComparison(this);
  }

  // Whether both versions export the two under one name, here or at an entry point that was compared before.
  isShared(a: ts.Symbol | undefined, b: ts.Symbol | undefined): boolean {
    if (!a || !b) return false;
    if (this.#counterparts.get(a)?.has(b)) return true;
    return a.name === b.name && this.#told.has(a.name);
  }

  isExported(symbol: ts.Symbol | undefined): boolean {
    return symbol !== undefined && (this.#counterparts.has(symbol) || this.#told.has(symbol.name));
  }

  get roles(): Roles {
    this.#roles ??= new Roles(this.old, this.#exported);
    return this.#roles;
  }

  report(kind: FindingKind, at: Place, rest: Partial<Found> & { text: string }): void {
    const [first = '', ...inner] = at.name.split('.');
    const isDefault = this.#defaults.get(at.subpath) === first;
    this.found.push({
      kind,
      name: isDefault ? ['default', ...inner].join('.') : at.name,
      subpath: at.subpath,
      certainty: certaintyOf(kind),
      was: null,
      is: null,
      ...rest,
    });
  }

  // Names at the entry points come before names inside namespaces, so that each thing is told where it is nearest.
  compare(entries: readonly EntryPair[]): void {
    for (const entry of entries) this.#pairUp(entry);
    const queue: Pair[] = [];
    for (const entry of entries) this.#compareNames(entry, queue);
    for (const pair of queue) {
      if (queue.length > MAX_PAIRS) return;
      this.#comparePair(pair, queue);
    }
  }

  #pairUp({ specifier, isGlobal, old, next }: EntryPair): void {
    for (const [name, symbol] of old.symbols) {
      const target = this.old.target(symbol);
      this.#exported.add(target);
      if (name !== 'default' && !isGlobal) this.#nameAt(target, specifier, name);
      const other = next.symbols.get(name);
      if (!other) continue;
      const counterpart = this.next.target(other);
      addTo(this.#counterparts, target, counterpart);
      addTo(this.#counterparts, counterpart, target);
      if (target.flags & TYPES) this.#told.add(target.name);
    }
  }

  #nameAt(target: ts.Symbol, specifier: string, name: string): void {
    const names = this.#exportNames.get(target) ?? new Map<string, string>();
    this.#exportNames.set(target, names);
    if (!names.has(specifier)) names.set(specifier, name);
  }

  #compareNames({ subpath, specifier, isGlobal, old, next }: EntryPair, queue: Pair[]): void {
    for (const [name, symbol] of old.symbols) {
      const by = isGlobal ? 'global' : name === 'default' ? 'default' : 'name';
      const way: Way = { name, specifier, by };
      if (isHidden(symbol) || isMarkedHidden(this.old.target(symbol))) continue;
      const other = next.symbols.get(name);
      if (other) {
        const label = name === 'default' ? this.#defaultLabel(old, symbol, subpath) : name;
        // The names of a module that is one thing are exported already.
        const depth = name === 'default' && old.isAssigned ? DEEPEST_NAMESPACE : 0;
        const staysWhole = name === 'default' && old.isAssigned && next.isAssigned;
        const place = { label, subpath, way: { ...way, name: label } };
        const isTypeNow = next.typeOnly.has(name) && !old.typeOnly.has(name);
        this.#compareMeanings({ ...place, old: symbol, next: other, depth, staysWhole, isTypeNow }, queue);
      } else if (name === 'default') {
        const lost = lostDefault({ symbol, side: this.old, old, next }, this.#usualName);
        if (lost) this.#reportDefault({ name: 'default', subpath, way }, symbol, { old, next }, lost);
      } else if (!next.isOpen) {
        this.#removed.add(this.old.target(symbol));
        const isInDefault = isMemberOfDefault(this.next, name, next);
        this.report(
          'export_removed',
          { name, subpath, way },
          {
            was: this.#kindOf(this.old, symbol),
            is: isInDefault ? `default.${name}` : null,
            text: isInDefault
              ? `\`${name}\` is only a member of the default export now`
              : `\`${name}\` is no longer exported`,
            rank: this.old.target(symbol).flags & SymbolFlags.Value ? RANK.call : RANK.type,
            clients: importClients(way, this.#isTypeAlone(symbol)),
          },
        );
      }
    }
  }

  #isTypeAlone(symbol: ts.Symbol): boolean {
    return !(this.old.target(symbol).flags & SymbolFlags.Value) || this.old.isTypeOnly(symbol);
  }

  #reportDefault(
    at: Place,
    symbol: ts.Symbol,
    { old, next }: { old: Names; next: Names },
    lost: { was: string; is: string | null; text: string },
  ): void {
    const target = this.old.target(symbol);
    const type = target.flags & SymbolFlags.Value ? this.old.typeOf(target) : null;
    const members = type && old.isAssigned ? this.old.properties(type).map(({ name }) => name) : [];
    const lostMembers = members.filter((name) => !next.symbols.has(name)).slice(0, 3);
    const way = { ...at.way, name: declaredName(target) };
    const [isCalled, isMade] = [type?.getCallSignatures().length, type?.getConstructSignatures().length];
    this.report('default_export_changed', at, {
      ...lost,
      clients: defaultClients(way, Boolean(isCalled), Boolean(isMade), lostMembers),
    });
  }

  // A default is told by the name that its file gives it. It is found by that name only where it is exported under it, or where
  // it is the name of the package, which people call it by.
  #defaultLabel({ symbols }: Names, symbol: ts.Symbol, subpath: string): string {
    const target = this.old.target(symbol);
    const label = declaredName(target);
    const named = symbols.get(label);
    const isNamed = named !== undefined && this.old.target(named) === target;
    const isUsual = label.toLowerCase() === this.#usualName.toLowerCase();
    // Modules that are declared by name have a global of that name, too.
    if (!isNamed && !isUsual && subpath.startsWith('.')) this.#defaults.set(subpath, label);
    return label;
  }

  #compareMeanings(pair: Pair, queue: Pair[]): void {
    const [old, next] = [this.old.target(pair.old), this.next.target(pair.next)];
    if (this.old.isUnknown(old) || this.next.isUnknown(next)) return;
    const hadValue = Boolean(old.flags & SymbolFlags.Value) && !this.old.isTypeOnly(pair.old);
    const hasValue = Boolean(next.flags & SymbolFlags.Value) && !this.next.isTypeOnly(pair.next) && !pair.isTypeNow;
    const { label: name, subpath, way } = pair;
    const at = { name, subpath, way };
    if (hadValue && !hasValue) {
      this.report('became_type_only', at, {
        was: this.#kindOf(this.old, old),
        is: this.#kindOf(this.next, next),
        text: `\`${pair.label}\` is only a type now`,
        clients: valueClients(way),
      });
    }
    if (old.flags & TYPES && !(next.flags & TYPES) && next.flags & SymbolFlags.Value) {
      this.report('type_changed', at, {
        was: this.#kindOf(this.old, old),
        is: this.#kindOf(this.next, next),
        text: `\`${pair.label}\` is no longer a type`,
        clients: typeClients(way, [leastTypeArguments(old)]),
      });
    }
    queue.push({ ...pair, old, next });
  }

  #comparePair(pair: Pair, queue: Pair[]): void {
    const { old, next, label, subpath, way, depth } = pair;
    const seen = this.#seen.get(old)?.has(next);
    addTo(this.#seen, old, next);
    if (old.flags & NAMESPACES && next.flags & NAMESPACES && depth < DEEPEST_NAMESPACE) {
      this.#compareNamespace(pair, queue);
    } else if (old.flags & NAMESPACES && !(next.flags & NAMESPACES) && !seen) this.#lostNamespace(pair);
    if (seen || (!(old.flags & NAMESPACES) && this.unchanged.are(old.declarations, next.declarations))) return;
    const at = { name: label, subpath, way };
    if (old.flags & TYPES && next.flags & TYPES) this.#members.types(at, old, next);
    if (old.flags & SymbolFlags.Value && next.flags & SymbolFlags.Value) this.#values(at, old, next);
  }

  #compareNamespace({ old, next, label, subpath, way: outer, depth }: Pair, queue: Pair[]): void {
    const [before, after] = [namesOfModule(this.old, old), namesOfModule(this.next, next)];
    for (const [name, symbol] of before.symbols) {
      if (name === 'default' || isHidden(symbol) || isMarkedHidden(this.old.target(symbol))) continue;
      const other = after.symbols.get(name);
      const inner = `${label}.${name}`;
      const way = { ...outer, name: inner };
      if (other) {
        this.#compareMeanings({ label: inner, subpath, way, old: symbol, next: other, depth: depth + 1 }, queue);
      } else if (!after.isOpen) {
        const rank = this.#removed.has(this.old.target(symbol)) || depth > 0 ? RANK.again : RANK.member;
        this.#removed.add(this.old.target(symbol));
        this.report(
          'member_removed',
          { name: inner, subpath, way },
          {
            was: this.#kindOf(this.old, symbol),
            text: `\`${inner}\` is gone`,
            rank,
            clients: this.#insideClients(way, symbol),
          },
        );
      }
    }
  }

  // A namespace that stood beside a class, function or constant is gone. What the thing itself has now is kept, and what the
  // names of a module as a whole were is exported by name or told as such.
  #lostNamespace({ old, next, label, subpath, way: outer, staysWhole }: Pair): void {
    if (staysWhole) return;
    const now = next.flags & SymbolFlags.Value ? this.next.typeOf(next) : null;
    if (now !== null && now.flags & ts.TypeFlags.Any) return;
    for (const [name, symbol] of namesOfModule(this.old, old).symbols) {
      const target = this.old.target(symbol);
      if (name === 'default' || isHidden(symbol) || isMarkedHidden(target)) continue;
      if (this.#removed.has(target)) continue;
      const isType = (target.flags & TYPES) !== 0;
      if (!isType && now !== null && this.next.checker.getPropertyOfType(now, name)) continue;
      const inner = `${label}.${name}`;
      const way = { ...outer, name: inner };
      this.report(
        'member_removed',
        { name: inner, subpath, way },
        {
          was: this.#kindOf(this.old, symbol),
          text: `\`${inner}\` is gone`,
          rank: RANK.member,
          clients: this.#insideClients(way, symbol),
        },
      );
    }
  }

  #insideClients(way: Way, symbol: ts.Symbol): string[] {
    return insideClients(way, this.#isTypeAlone(symbol), leastTypeArguments(this.old.target(symbol)));
  }

  #values(at: Place, old: ts.Symbol, next: ts.Symbol): void {
    if (
      (old.flags | next.flags) & SymbolFlags.Enum ||
      (old.flags & next.flags & SymbolFlags.Value & ~NAMESPACES) === 0
    ) {
      if (!(old.flags & VALUES) || !(next.flags & VALUES)) return;
    }
    const [was, is] = [this.old.typeOf(old), this.next.typeOf(next)];
    if ((was.flags | is.flags) & ts.TypeFlags.Any) return;
    // A constant of an exported type has its members told there.
    if (symbolOf(was) !== old && this.isShared(symbolOf(was), symbolOf(is))) return;
    const call = { way: at.way, member: null, least: null };
    this.signatures(at, [was.getCallSignatures(), is.getCallSignatures()], {
      rank: RANK.call,
      call: { ...call, isMade: false },
    });
    if (!isClosed(old))
      this.signatures(at, [was.getConstructSignatures(), is.getConstructSignatures()], {
        rank: RANK.type,
        call: { ...call, isMade: true },
        // The members of a class are compared as such.
        looksAt: old.flags & SymbolFlags.Class ? 'arguments' : 'everything',
      });
    this.#callable(at, was, is);
    if (old.flags & (SymbolFlags.Class | SymbolFlags.Function | SymbolFlags.Variable | SymbolFlags.Accessor)) {
      if (!this.#makesItself(was)) this.#members.values(at, { was, is }, old);
    }
  }

  // `let A: A; interface A { new (): A; close(): void }` describes a class as one of its objects, whose members are told as those
  // of the type.
  #makesItself(type: ts.Type): boolean {
    return type.getConstructSignatures().some((one) => this.old.checker.getReturnTypeOfSignature(one) === type);
  }

  // A function or class that is neither any more, or a constant of another type.
  #callable(at: Place, was: ts.Type, is: ts.Type): void {
    const isCalled = was.getCallSignatures().length > 0 && is.getCallSignatures().length === 0;
    const isMade = was.getConstructSignatures().length > 0 && is.getConstructSignatures().length === 0;
    const isPlain = !(was.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection));
    if (!isCalled && !isMade && !isPlain) return;
    const answer = this.relation.accepts(
      { side: this.next, type: is },
      { side: this.old, type: was },
      { isRead: true },
    );
    if (answer !== 'no') return;
    const words = isCalled ? 'can no longer be called' : isMade ? 'can no longer be made with new' : 'has another type';
    this.report('type_changed', at, {
      was: this.old.show(was),
      is: this.next.show(is),
      text: `\`${at.name}\` ${words}`,
      clients: this.#useClients(at.way, was, { isCalled, isMade }),
    });
  }

  #useClients(way: Way, was: ts.Type, { isCalled, isMade }: { isCalled: boolean; isMade: boolean }): string[] {
    const [signature] = isCalled ? was.getCallSignatures() : was.getConstructSignatures();
    const form = { argument: null, asks: 'call' as const, member: null, least: null, isMade: !isCalled, way };
    const calls = signature ? this.#callClients({ ...form, signature, count: leastArguments(signature) }) : [];
    const types = signature ? [] : [this.old.show(this.old.checker.getBaseTypeOfLiteralType(was))];
    return [
      ...calls,
      ...defaultClients(way, isCalled, isMade, []).slice(0, isCalled || isMade ? 1 : 0),
      ...heldClients(way, types),
    ];
  }

  signatures(
    at: Place,
    pair: readonly [readonly ts.Signature[], readonly ts.Signature[]],
    { rank, call, looksAt = 'everything' }: { rank: number; call: Callee; looksAt?: LooksAt },
  ): void {
    const [before, after] = pair.map((signatures) => signatures.flatMap(({ declaration }) => declaration ?? []));
    if (this.unchanged.are(before, after)) return;
    const change = changedSignature(at.name, { old: this.old, next: this.next }, pair, this.relation, looksAt);
    if (!change) return;
    const { form, ...found } = change;
    this.report(change.kind, at, { ...found, rank, clients: this.#callClients({ ...call, ...form }) });
  }

  #callClients(call: Call): string[] {
    const exported = (symbol: ts.Symbol) => this.#exportNames.get(symbol)?.get(call.way.specifier) ?? null;
    return callClients(call, { side: this.old, values: this.values, exported });
  }

  #kindOf(side: Side, symbol: ts.Symbol): string {
    const { flags } = side.target(symbol);
    return KIND_WORDS.find(([flag]) => flags & flag)?.[1] ?? 'export';
  }
}

const VALUES = SymbolFlags.Variable | SymbolFlags.Function | SymbolFlags.Class | SymbolFlags.Accessor;
const KIND_WORDS = [
  [SymbolFlags.Class, 'class'],
  [SymbolFlags.Function, 'function'],
  [SymbolFlags.Enum, 'enum'],
  [SymbolFlags.Variable, 'constant'],
  [SymbolFlags.Interface, 'interface'],
  [SymbolFlags.TypeAlias, 'type'],
  [NAMESPACES, 'namespace'],
] as const;

// A class whose constructor is not public is made by its package alone.
function isClosed(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some(
    (one) =>
      ts.isClassDeclaration(one) &&
      one.members.some(
        (member) =>
          ts.isConstructorDeclaration(member) &&
          ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected),
      ),
  );
}

function symbolOf(type: ts.Type): ts.Symbol | undefined {
  return type.aliasSymbol ?? type.symbol;
}

function addTo(map: Map<ts.Symbol, Set<ts.Symbol>>, key: ts.Symbol, value: ts.Symbol): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}
