// Types that have no members to be looked at one by one: enums, unions of literals, plain types, and what types are given.
import ts from 'typescript-api';
import type { ApiComparison } from './api.ts';
import { RANK } from './finding.ts';
import type { Place } from './pairs.ts';
import { isHidden } from './side.ts';
import { literalClients, memberClients, typeClients } from './witness/names.ts';

export function compareEnums(api: ApiComparison, at: Place, old: ts.Symbol, next: ts.Symbol): void {
  if (!(next.flags & ts.SymbolFlags.Enum)) return;
  for (const [key, member] of old.exports ?? []) {
    if (next.exports?.has(key) || isHidden(member)) continue;
    const name = `${at.name}.${member.name}`;
    api.report(
      'member_removed',
      { ...at, name },
      {
        was: 'enum member',
        text: `\`${name}\` is gone`,
        clients: memberClients({ way: at.way, member: member.name, least: null, isProtected: false }),
      },
    );
  }
}

// A union of literals that has lost some of them. Names are no answer here: the two are what is asked about.
export function compareLiterals(api: ApiComparison, at: Place, was: ts.UnionType, is: ts.Type): void {
  const parts = is.isUnion() ? is.types : [is];
  if (![...was.types, ...parts].every((one) => one.isStringLiteral() || one.isNumberLiteral())) return;
  const { old, next } = api;
  const kept = new Set(parts.map((one) => (one as ts.LiteralType).value));
  const lost = was.types.find((type) => !kept.has((type as ts.LiteralType).value));
  if (!lost) return;
  const values = { was: old.show(was), is: next.show(is) };
  api.report('type_changed', at, {
    ...values,
    text: `\`${at.name}\` no longer has ${old.show(lost)}`,
    clients: literalClients(at.way, old.show(lost)),
  });
}

// A type without members that has become one that nothing of it fits.
export function comparePlainTypes(api: ApiComparison, at: Place, was: ts.Type, is: ts.Type): void {
  const { old, next, relation } = api;
  const [from, to] = [
    { side: old, type: was },
    { side: next, type: is },
  ];
  if (relation.accepts(from, to, { isRead: true }) !== 'no' || relation.accepts(to, from, { isRead: true }) !== 'no')
    return;
  api.report('type_changed', at, {
    was: old.show(was),
    is: next.show(is),
    text: `\`${at.name}\` is another type`,
  });
}

// Type arguments that have to be written, or no longer may.
export function compareTypeArguments(api: ApiComparison, at: Place, old: ts.Symbol, next: ts.Symbol): void {
  const [was, is] = [parametersOf(old), parametersOf(next)];
  if (was === null || is === null) return;
  const needsMore = is.least > was.least;
  if (!needsMore && is.most >= was.most) return;
  const count = needsMore ? is.least : is.most;
  const words = `${needsMore ? 'needs' : 'takes only'} ${count} type argument${count === 1 ? '' : 's'} now`;
  const values = { was: was.text, is: is.text };
  const clients = typeClients(at.way, needsMore ? [was.least] : [was.most]);
  api.report('type_changed', at, { ...values, text: `\`${at.name}\` ${words}`, rank: RANK.type, clients });
}

function parametersOf(symbol: ts.Symbol): { least: number; most: number; text: string } | null {
  for (const one of symbol.declarations ?? []) {
    if (!ts.isClassLike(one) && !ts.isInterfaceDeclaration(one) && !ts.isTypeAliasDeclaration(one)) continue;
    const parameters = one.typeParameters ?? [];
    const least = parameters.filter((parameter) => parameter.default === undefined).length;
    const names = parameters.map((parameter) => parameter.name.text).join(', ');
    return { least, most: parameters.length, text: `${symbol.name}<${names}>` };
  }
  return null;
}
