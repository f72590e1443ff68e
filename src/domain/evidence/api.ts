// The exported names of two versions side by side: what is gone, what is no longer what it was.
import ts from 'typescript-api';
import { camelName } from './camel-name.ts';
import { declaredName, isMemberOfDefault, lostDefault } from './default-export.ts';
import { certaintyOf, type FindingKind, type Found, RANK } from './finding.ts';
import { MemberComparison } from './members.ts';
import type { Names } from './names.ts';
import { NamespaceComparison } from './namespaces.ts';
import { type Callee, DEEPEST_NAMESPACE, type EntryPair, type Pair, type Place } from './pairs.ts';
import { Relation } from './relation.ts';
import { Roles } from './roles.ts';
import { isHidden, isMarkedHidden, type Side } from './side.ts';
import { changedSignature, type LooksAt } from './signatures.ts';
import { isTypeAlone, kindOfSymbol, NAMESPACES, TYPES } from './symbol-kind.ts';
import { Unchanged } from './unchanged.ts';
import { ValueComparison } from './value-comparison.ts';
import { type Call, callClients, leastTypeArguments } from './witness/calls.ts';
import type { Way } from './witness/client.ts';
import { defaultClients, importClients, typeClients, valueClients } from './witness/names.ts';
import { Values } from './witness/values.ts';

const { SymbolFlags } = ts;
const MAX_PAIRS = 20_000;

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
  readonly #namespaces: NamespaceComparison;
  readonly #values: ValueComparison;
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
    this.#namespaces = new NamespaceComparison(this, this.#removed, (pair, queue) =>
      this.#compareMeanings(pair, queue),
    );
    this.#values = new ValueComparison(this, this.#members);
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
            was: kindOfSymbol(this.old, symbol),
            is: isInDefault ? `default.${name}` : null,
            text: isInDefault
              ? `\`${name}\` is only a member of the default export now`
              : `\`${name}\` is no longer exported`,
            rank: this.old.target(symbol).flags & SymbolFlags.Value ? RANK.call : RANK.type,
            clients: importClients(way, isTypeAlone(this.old, symbol)),
          },
        );
      }
    }
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
        was: kindOfSymbol(this.old, old),
        is: kindOfSymbol(this.next, next),
        text: `\`${pair.label}\` is only a type now`,
        clients: valueClients(way),
      });
    }
    if (old.flags & TYPES && !(next.flags & TYPES) && next.flags & SymbolFlags.Value) {
      this.report('type_changed', at, {
        was: kindOfSymbol(this.old, old),
        is: kindOfSymbol(this.next, next),
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
      this.#namespaces.compare(pair, queue);
    } else if (old.flags & NAMESPACES && !(next.flags & NAMESPACES) && !seen) this.#namespaces.lost(pair);
    if (seen || (!(old.flags & NAMESPACES) && this.unchanged.are(old.declarations, next.declarations))) return;
    const at = { name: label, subpath, way };
    if (old.flags & TYPES && next.flags & TYPES) this.#members.types(at, old, next);
    if (old.flags & SymbolFlags.Value && next.flags & SymbolFlags.Value) this.#values.compare(at, old, next);
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
    this.report(change.kind, at, { ...found, rank, clients: this.callClientsOf({ ...call, ...form }) });
  }

  callClientsOf(call: Call): string[] {
    const exported = (symbol: ts.Symbol) => this.#exportNames.get(symbol)?.get(call.way.specifier) ?? null;
    return callClients(call, { side: this.old, values: this.values, exported });
  }
}

function addTo(map: Map<ts.Symbol, Set<ts.Symbol>>, key: ts.Symbol, value: ts.Symbol): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}
