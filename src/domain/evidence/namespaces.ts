// Names inside of namespaces, and namespaces that are gone.
import ts from 'typescript-api';
import type { ApiComparison } from './api.ts';
import { RANK } from './finding.ts';
import { namesOfModule } from './names.ts';
import type { Pair } from './pairs.ts';
import { isHidden, isMarkedHidden } from './side.ts';
import { isTypeAlone, kindOfSymbol, TYPES } from './symbol-kind.ts';
import { leastTypeArguments } from './witness/calls.ts';
import type { Way } from './witness/client.ts';
import { insideClients } from './witness/names.ts';

const { SymbolFlags } = ts;

export class NamespaceComparison {
  readonly #api: ApiComparison;
  // What was told already, where it is nearest.
  readonly #removed: Set<ts.Symbol>;
  readonly #meanings: (pair: Pair, queue: Pair[]) => void;

  constructor(api: ApiComparison, removed: Set<ts.Symbol>, meanings: (pair: Pair, queue: Pair[]) => void) {
    this.#api = api;
    this.#removed = removed;
    this.#meanings = meanings;
  }

  compare({ old, next, label, subpath, way: outer, depth }: Pair, queue: Pair[]): void {
    const [before, after] = [namesOfModule(this.#api.old, old), namesOfModule(this.#api.next, next)];
    for (const [name, symbol] of before.symbols) {
      if (name === 'default' || isHidden(symbol) || isMarkedHidden(this.#api.old.target(symbol))) continue;
      const other = after.symbols.get(name);
      const inner = `${label}.${name}`;
      const way = { ...outer, name: inner };
      if (other) {
        this.#meanings({ label: inner, subpath, way, old: symbol, next: other, depth: depth + 1 }, queue);
      } else if (!after.isOpen) {
        const rank = this.#removed.has(this.#api.old.target(symbol)) || depth > 0 ? RANK.again : RANK.member;
        this.#removed.add(this.#api.old.target(symbol));
        this.#api.report(
          'member_removed',
          { name: inner, subpath, way },
          {
            was: kindOfSymbol(this.#api.old, symbol),
            text: `\`${inner}\` is gone`,
            rank,
            clients: this.#clients(way, symbol),
          },
        );
      }
    }
  }

  // A namespace that stood beside a class, function or constant is gone. What the thing itself has now is kept, and what the
  // names of a module as a whole were is exported by name or told as such.
  lost({ old, next, label, subpath, way: outer, staysWhole }: Pair): void {
    if (staysWhole) return;
    const now = next.flags & SymbolFlags.Value ? this.#api.next.typeOf(next) : null;
    if (now !== null && now.flags & ts.TypeFlags.Any) return;
    for (const [name, symbol] of namesOfModule(this.#api.old, old).symbols) {
      const target = this.#api.old.target(symbol);
      if (name === 'default' || isHidden(symbol) || isMarkedHidden(target)) continue;
      if (this.#removed.has(target)) continue;
      const isType = (target.flags & TYPES) !== 0;
      if (!isType && now !== null && this.#api.next.checker.getPropertyOfType(now, name)) continue;
      const inner = `${label}.${name}`;
      const way = { ...outer, name: inner };
      this.#api.report(
        'member_removed',
        { name: inner, subpath, way },
        {
          was: kindOfSymbol(this.#api.old, symbol),
          text: `\`${inner}\` is gone`,
          rank: RANK.member,
          clients: this.#clients(way, symbol),
        },
      );
    }
  }

  #clients(way: Way, symbol: ts.Symbol): string[] {
    return insideClients(way, isTypeAlone(this.#api.old, symbol), leastTypeArguments(this.#api.old.target(symbol)));
  }
}
