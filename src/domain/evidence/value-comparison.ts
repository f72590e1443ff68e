// What two exported values are: calls, constructors, and constants of another type.
import ts from 'typescript-api';
import type { ApiComparison } from './api.ts';
import { RANK } from './finding.ts';
import type { MemberComparison } from './members.ts';
import type { Place } from './pairs.ts';
import { NAMESPACES } from './symbol-kind.ts';
import { leastArguments } from './type-shapes.ts';
import type { Way } from './witness/client.ts';
import { defaultClients, heldClients } from './witness/names.ts';

const { SymbolFlags } = ts;
const VALUES = SymbolFlags.Variable | SymbolFlags.Function | SymbolFlags.Class | SymbolFlags.Accessor;

export class ValueComparison {
  readonly #api: ApiComparison;
  readonly #members: MemberComparison;

  constructor(api: ApiComparison, members: MemberComparison) {
    this.#api = api;
    this.#members = members;
  }

  compare(at: Place, old: ts.Symbol, next: ts.Symbol): void {
    if (
      (old.flags | next.flags) & SymbolFlags.Enum ||
      (old.flags & next.flags & SymbolFlags.Value & ~NAMESPACES) === 0
    ) {
      if (!(old.flags & VALUES) || !(next.flags & VALUES)) return;
    }
    const [was, is] = [this.#api.old.typeOf(old), this.#api.next.typeOf(next)];
    if ((was.flags | is.flags) & ts.TypeFlags.Any) return;
    // A constant of an exported type has its members told there.
    if (symbolOf(was) !== old && this.#api.isShared(symbolOf(was), symbolOf(is))) return;
    const call = { way: at.way, member: null, least: null };
    this.#api.signatures(at, [was.getCallSignatures(), is.getCallSignatures()], {
      rank: RANK.call,
      call: { ...call, isMade: false },
    });
    if (!isClosed(old))
      this.#api.signatures(at, [was.getConstructSignatures(), is.getConstructSignatures()], {
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
    return type.getConstructSignatures().some((one) => this.#api.old.checker.getReturnTypeOfSignature(one) === type);
  }

  // A function or class that is neither any more, or a constant of another type.
  #callable(at: Place, was: ts.Type, is: ts.Type): void {
    const isCalled = was.getCallSignatures().length > 0 && is.getCallSignatures().length === 0;
    const isMade = was.getConstructSignatures().length > 0 && is.getConstructSignatures().length === 0;
    const isPlain = !(was.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection));
    if (!isCalled && !isMade && !isPlain) return;
    const answer = this.#api.relation.accepts(
      { side: this.#api.next, type: is },
      { side: this.#api.old, type: was },
      { isRead: true },
    );
    if (answer !== 'no') return;
    const words = isCalled ? 'can no longer be called' : isMade ? 'can no longer be made with new' : 'has another type';
    this.#api.report('type_changed', at, {
      was: this.#api.old.show(was),
      is: this.#api.next.show(is),
      text: `\`${at.name}\` ${words}`,
      clients: this.#useClients(at.way, was, { isCalled, isMade }),
    });
  }

  #useClients(way: Way, was: ts.Type, { isCalled, isMade }: { isCalled: boolean; isMade: boolean }): string[] {
    const [signature] = isCalled ? was.getCallSignatures() : was.getConstructSignatures();
    const form = { argument: null, asks: 'call' as const, member: null, least: null, isMade: !isCalled, way };
    const calls = signature ? this.#api.callClientsOf({ ...form, signature, count: leastArguments(signature) }) : [];
    const types = signature ? [] : [this.#api.old.show(this.#api.old.checker.getBaseTypeOfLiteralType(was))];
    return [
      ...calls,
      ...defaultClients(way, isCalled, isMade, []).slice(0, isCalled || isMade ? 1 : 0),
      ...heldClients(way, types),
    ];
  }
}

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
