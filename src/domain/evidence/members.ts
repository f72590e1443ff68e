// Members of exported classes, interfaces, objects and enums.
import ts from 'typescript-api';
import type { ApiComparison } from './api.ts';
import { RANK } from './finding.ts';
import type { Place } from './pairs.ts';
import type { Role } from './roles.ts';
import { accessOf, isHidden, isOptional } from './side.ts';
import { compareEnums, compareLiterals, comparePlainTypes, compareTypeArguments } from './single-types.ts';
import { isGenericMapped, partsOf } from './type-shapes.ts';
import { leastTypeArguments } from './witness/calls.ts';
import { type MemberOf, memberClients, readClients, wholeClients, writtenClients } from './witness/names.ts';

const MAX_MEMBERS = 3_000;

interface Owner {
  was: ts.Type;
  is: ts.Type;
  // The exported symbol whose members these are.
  symbol: ts.Symbol;
  role(): Role;
  isExtendable: boolean;
  // All members may be left out, before and now.
  isOptions?: boolean;
  rank: number;
  // Type arguments that have to be written; null for the members of a value.
  least: number | null;
}

export class MemberComparison {
  readonly #api: ApiComparison;

  constructor(api: ApiComparison) {
    this.#api = api;
  }

  // Two declared types of one name.
  types(at: Place, old: ts.Symbol, next: ts.Symbol): void {
    const { old: before, next: after } = this.#api;
    const [was, is] = [before.checker.getDeclaredTypeOfSymbol(old), after.checker.getDeclaredTypeOfSymbol(next)];
    if (old.flags & ts.SymbolFlags.Enum) compareEnums(this.#api, at, old, next);
    else this.#declared(at, { old, next, was, is });
  }

  #declared(at: Place, { old, next, was, is }: { old: ts.Symbol; next: ts.Symbol; was: ts.Type; is: ts.Type }): void {
    compareTypeArguments(this.#api, at, old, next);
    if (isOpaque(was) || isOpaque(is)) return;
    if (was.isUnion()) compareLiterals(this.#api, at, was, is);
    else if (!hasMembers(was)) comparePlainTypes(this.#api, at, was, is);
    if (!this.#haveMembers(was, is)) {
      if (isOfObjects(was) && isOfObjects(is)) this.#sharedMembers(at, { was, is, symbol: old });
      return;
    }
    const isClass = Boolean(old.flags & ts.SymbolFlags.Class);
    this.#members(at, {
      was,
      is,
      symbol: old,
      role: () => (isClass ? 'received' : this.#api.roles.of(old)),
      isExtendable: isClass && !isFinal(old),
      isOptions: !isClass && [this.#api.old.properties(was), this.#api.next.properties(is)].every(areOptional),
      rank: RANK.member,
      least: leastTypeArguments(old),
    });
  }

  // Of what is given and received, options whose members may all be left out are what people write.
  #memberRole(owner: Owner): Role {
    const role = owner.role();
    if (role !== 'both' || !owner.isOptions) return role;
    return 'given';
  }

  // Who receives one of several objects reads what all of them have.
  #sharedMembers(at: Place, { was, is, symbol }: { was: ts.Type; is: ts.Type; symbol: ts.Symbol }): void {
    const { old, next } = this.#api;
    const role = this.#api.roles.of(symbol);
    if (role === 'given' || old.checker.isArrayLikeType(was) || next.hasUnknownBase(is)) return;
    if (is.isUnion() && is.types.some((one) => next.checker.getIndexInfosOfType(one).length > 0)) return;
    for (const property of old.properties(was)) {
      if (isHidden(property) || property.name.startsWith('__')) continue;
      if (next.checker.getPropertyOfType(is, property.name)) continue;
      const name = `${at.name}.${property.name}`;
      this.#api.report(
        'member_removed',
        { ...at, name },
        {
          was: old.show(old.typeOf(property)),
          text: `\`${name}\` is gone`,
          certainty: 'likely',
          rank: RANK.member,
          clients: memberClients({
            way: at.way,
            member: property.name,
            least: leastTypeArguments(symbol),
            isProtected: false,
          }),
        },
      );
    }
  }

  // The members of a value: statics of a class, properties of a function or an object.
  values(at: Place, { was, is }: { was: ts.Type; is: ts.Type }, symbol: ts.Symbol): void {
    if (!this.#haveMembers(was, is)) return;
    this.#members(at, {
      was,
      is,
      symbol,
      role: () => 'received',
      isExtendable: false,
      rank: symbol.flags & ts.SymbolFlags.Class ? RANK.type : RANK.member,
      least: null,
    });
  }

  // Lists and pairs have the members of the language.
  #haveMembers(was: ts.Type, is: ts.Type): boolean {
    const { old, next } = this.#api;
    const isList = old.checker.isArrayLikeType(was) || next.checker.isArrayLikeType(is);
    return hasMembers(was) && hasMembers(is) && !isList;
  }

  #members(at: Place, owner: Owner): void {
    const { old, next } = this.#api;
    const properties = old.properties(owner.was);
    if (properties.length > MAX_MEMBERS) return;
    for (const property of properties) {
      if (this.#isSilent(property, owner)) continue;
      const other = next.checker.getPropertyOfType(owner.is, property.name);
      const place = { ...at, name: `${at.name}.${property.name}` };
      const isEcho = this.#isInherited(property, owner);
      if (other) {
        if (!isEcho && accessOf(property) === 'public') this.#member(place, property, other, owner);
      } else if (this.#isMissed(owner)) {
        const was = old.show(old.typeOf(property));
        this.#api.report('member_removed', place, {
          was,
          text: `\`${place.name}\` is gone`,
          rank: isEcho ? RANK.inherited : owner.rank,
          clients: memberClients(memberOf(at, property, owner)),
        });
      }
    }
    this.#addedMembers(at, owner);
  }

  #isSilent(property: ts.Symbol, owner: Owner): boolean {
    if (property.name.startsWith('__') || property.name === 'prototype' || isHidden(property)) return true;
    const access = accessOf(property);
    if (access !== 'public') return access === 'private' || !owner.isExtendable;
    // What is exported by a namespace of the same name is compared as such.
    return (
      Boolean(owner.symbol.flags & (ts.SymbolFlags.ValueModule | ts.SymbolFlags.NamespaceModule)) &&
      Boolean(owner.symbol.exports?.has(property.escapedName)) &&
      !(property.flags & ts.SymbolFlags.ClassMember)
    );
  }

  // Whether the member comes from a type that is exported too, and is told there.
  #isInherited(property: ts.Symbol, { symbol }: Owner): boolean {
    const parent = (property as unknown as { parent?: ts.Symbol }).parent;
    return parent !== undefined && parent !== symbol && this.#api.isExported(parent);
  }

  // A member is gone only where all of its owner can be seen.
  #isMissed({ is }: Owner): boolean {
    const { next } = this.#api;
    return next.checker.getIndexInfosOfType(is).length === 0 && !next.hasUnknownBase(is);
  }

  #member(at: Place, property: ts.Symbol, other: ts.Symbol, owner: Owner): void {
    const member = memberOf(at, property, owner);
    const { old, next, relation } = this.#api;
    if (this.#api.unchanged.are(property.declarations, other.declarations)) return;
    const [was, is] = [old.typeOf(property), next.typeOf(other)];
    if (was === is || (was.flags | is.flags) & ts.TypeFlags.Any) return;
    const [before, after] = [callable(was), callable(is)];
    const role = this.#memberRole(owner);
    if (before.length > 0 && after.length > 0 && role !== 'given') {
      // Whoever makes such objects and whoever calls them: an argument that is gone is missed.
      const looksAt = role === 'both' ? 'number of arguments' : 'everything';
      if (role !== 'unknown') {
        const call = { way: at.way, member: property.name, least: owner.least, isMade: false };
        this.#api.signatures(at, [before, after], { rank: RANK.member, call, looksAt });
      }
      return;
    }
    const give = () => relation.accepts({ side: old, type: was }, { side: next, type: is }) === 'no';
    const take = () => relation.accepts({ side: next, type: is }, { side: old, type: was }, { isRead: true }) === 'no';
    const isChanged = role === 'given' ? give() : role === 'received' ? take() : take() && give();
    if (!isChanged) return;
    const values = { was: old.show(was), is: next.show(is) };
    const isNeeded = role === 'given' && isOptional(property) && !isOptional(other);
    const isLess = role === 'received' && !isOptional(property) && isOptional(other);
    const words = isNeeded ? 'has to be given now' : isLess ? 'may be missing now' : 'has another type';
    const clients =
      role === 'given'
        ? isNeeded
          ? wholeClients(member, this.#api.values.of(owner.was))
          : writtenClients(member, this.#api.values.of(was))
        : readClients(member, [old.show(old.checker.getBaseTypeOfLiteralType(was))]);
    this.#api.report('type_changed', at, { ...values, text: `\`${at.name}\` ${words}`, clients });
  }

  // A member that who builds the object has to add.
  #addedMembers(at: Place, owner: Owner): void {
    const { old, next } = this.#api;
    for (const property of next.properties(owner.is)) {
      if (isOptional(property) || property.name.startsWith('__') || isHidden(property)) continue;
      if (old.checker.getPropertyOfType(owner.was, property.name)) continue;
      if (owner.role() !== 'given' || old.hasUnknownBase(owner.was)) return;
      if (old.checker.getIndexInfosOfType(owner.was).length > 0) return;
      const name = `${at.name}.${property.name}`;
      const is = next.show(next.typeOf(property));
      this.#api.report(
        'type_changed',
        { ...at, name },
        {
          is,
          text: `\`${name}\` has to be given now`,
          clients: wholeClients(memberOf(at, property, owner), this.#api.values.of(owner.was)),
        },
      );
    }
  }
}

function memberOf({ way }: Place, property: ts.Symbol, { least }: Owner): MemberOf {
  return { way, member: property.name, least, isProtected: accessOf(property) === 'protected' };
}

// The call forms of a function, also of one that may be left out. Types that have to be worked out first are none.
function callable(type: ts.Type): readonly ts.Signature[] {
  const parts = partsOf(type).filter((one) => !(one.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)));
  const [only] = parts;
  if (parts.length !== 1 || !only || !(only.flags & ts.TypeFlags.Object)) return [];
  return (only as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped ? [] : only.getCallSignatures();
}

function hasMembers(type: ts.Type): boolean {
  return Boolean(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection));
}

function areOptional(properties: readonly ts.Symbol[]): boolean {
  return properties.length > 0 && properties.every(isOptional);
}

function isOfObjects(type: ts.Type): boolean {
  return type.isUnion() ? type.types.every(hasMembers) : hasMembers(type);
}

// Types that are decided only where they are used.
function isOpaque(type: ts.Type): boolean {
  const undecided =
    ts.TypeFlags.Any |
    ts.TypeFlags.Unknown |
    ts.TypeFlags.TypeParameter |
    ts.TypeFlags.Conditional |
    ts.TypeFlags.IndexedAccess |
    ts.TypeFlags.Index |
    ts.TypeFlags.Substitution;
  if (type.flags & undecided) return true;
  if (type.isIntersection()) return type.types.some(isOpaque);
  return isGenericMapped(type);
}

function isFinal(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some(
    (one) =>
      ts.isClassDeclaration(one) &&
      one.members.some(
        (member) =>
          ts.isConstructorDeclaration(member) && ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private,
      ),
  );
}
