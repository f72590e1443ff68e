// Calls that worked and no longer do: parameters that are needed or take less, results that are something else.
import ts from 'typescript-api';
import type { FindingKind } from './finding.ts';
import type { Relation } from './relation.ts';
import type { Side } from './side.ts';
import { hasRest, isRest, leastArguments } from './type-shapes.ts';

interface SignatureChange {
  kind: FindingKind;
  was: string;
  is: string;
  text: string;
  form: ChangedForm;
}

// The call that is lost, and what of it.
interface ChangedForm {
  signature: ts.Signature;
  count: number;
  argument: number | null;
  asks: 'call' | 'result' | 'types';
  missed?: string[];
}

interface Sides {
  old: Side;
  next: Side;
}

// How much of a call may have changed.
export type LooksAt = 'everything' | 'arguments' | 'number of arguments';

const MAX_OVERLOADS = 60;
const MAX_OMITTED = 6;

// The call form of the old version with the fewest arguments that none of the new ones takes, and why the nearest one does not.
// How many other forms are lost is said, because a call may be one of those.
export function changedSignature(
  name: string,
  sides: Sides,
  [before, after]: readonly [readonly ts.Signature[], readonly ts.Signature[]],
  relation: Relation,
  looksAt: LooksAt,
): SignatureChange | null {
  if (before.length === 0 || after.length === 0) return null;
  if (before.length > MAX_OVERLOADS || after.length > MAX_OVERLOADS) return null;
  if (looksAt === 'number of arguments' && lostForms(before, after, tooMany).length === 0) return null;
  const problemOf = (was: ts.Signature, is: ts.Signature, count: number): Problem | null => {
    const problem = problemOfArguments(sides, { was, is, count }, relation);
    return problem ?? (looksAt === 'arguments' ? null : problemOfResult(sides, { was, is }, relation));
  };
  const [lost, ...others] = lostForms(before, after, problemOf);
  if (!lost) return looksAt === 'everything' ? lostTypeArguments(name, sides, [before, after]) : null;
  const { was, is, count, problem } = lost;
  const more = others.length === 0 ? '' : `; ${others.length} more ${others.length === 1 ? 'form' : 'forms'} changed`;
  return {
    kind: problem.kind,
    was: sides.old.showSignature(name, was),
    is: sides.next.showSignature(name, is),
    text: `\`${name}(${namesOf(was)})\` ${problem.text}${more}`,
    form: {
      signature: was,
      count,
      argument: problem.argument ?? null,
      asks: problem.kind === 'result_changed' ? 'result' : 'call',
      missed: problem.kind === 'result_changed' ? missedMembers(sides, was, is) : [],
    },
  };
}

// Type arguments that have to be written, because no argument tells them, and that no form takes any more.
function lostTypeArguments(
  name: string,
  { old, next }: Sides,
  [before, after]: readonly [readonly ts.Signature[], readonly ts.Signature[]],
): SignatureChange | null {
  const most = Math.max(...after.map(({ typeParameters = [] }) => typeParameters.length));
  const was = before.find(
    (one) => (one.typeParameters?.length ?? 0) > most && one.typeParameters?.every((type) => !isInferred(one, type)),
  );
  const [is] = after;
  if (!was || !is || after.some(hasRest)) return null;
  return {
    kind: 'type_changed',
    was: old.showSignature(name, was),
    is: next.showSignature(name, is),
    text: `\`${name}\` takes ${most === 0 ? 'no' : `only ${most}`} type argument${most === 1 ? '' : 's'} now`,
    form: { signature: was, count: leastArguments(was), argument: null, asks: 'types' },
  };
}

function isInferred({ declaration }: ts.Signature, { symbol }: ts.Type): boolean {
  const name = new RegExp(`\\b${symbol.name.replaceAll('$', '\\$')}\\b`);
  return declaration === undefined || declaration.parameters.some((one) => name.test(one.getText()));
}

type ProblemOf = (was: ts.Signature, is: ts.Signature, count: number) => Problem | null;

interface LostForm {
  was: ts.Signature;
  // The nearest form of the new version.
  is: ts.Signature;
  problem: Problem;
  count: number;
}

// Those with the fewest arguments first.
function lostForms(before: readonly ts.Signature[], after: readonly ts.Signature[], problemOf: ProblemOf): LostForm[] {
  const lost = before.flatMap((was): LostForm[] => {
    for (const count of argumentCounts(was)) {
      const nearest = nearestForm(after, (is) => problemOf(was, is, count));
      if (nearest) return [{ was, count, ...nearest }];
    }
    return [];
  });
  return lost.sort((a, b) => a.count - b.count);
}

interface Problem {
  kind: FindingKind;
  text: string;
  weight: number;
  // The argument that is not taken.
  argument?: number;
}

// Null when one of the forms takes the call.
function nearestForm(
  forms: readonly ts.Signature[],
  problemOf: (is: ts.Signature) => Problem | null,
): { problem: Problem; is: ts.Signature } | null {
  let nearest: { problem: Problem; is: ts.Signature } | null = null;
  for (const is of forms) {
    const problem = problemOf(is);
    if (problem === null) return null;
    if (nearest === null || problem.weight < nearest.problem.weight) nearest = { problem, is };
  }
  return nearest;
}

// With how many arguments a form is called: each number may be a form of its own now.
function argumentCounts(signature: ts.Signature): number[] {
  const [least, most] = [leastArguments(signature), signature.parameters.length];
  if (hasRest(signature) || most - least > MAX_OMITTED) return [most];
  return Array.from({ length: most - least + 1 }, (_, index) => least + index);
}

function problemOfArguments(
  { old, next }: Sides,
  { was, is, count }: { was: ts.Signature; is: ts.Signature; count: number },
  relation: Relation,
): Problem | null {
  const needed = leastArguments(is);
  if (needed > count && !takesSpread(was)) {
    const name = is.parameters[needed - 1]?.name ?? 'an argument';
    return { kind: 'parameter_required', text: `now needs \`${name}\``, weight: 2 + needed - count };
  }
  const many = tooMany(was, is, count);
  if (many) return many;
  for (const [index, parameter] of was.parameters.slice(0, count).entries()) {
    const other = is.parameters[index];
    if (!other || isRest(parameter) || isRest(other)) break;
    const fit = relation.accepts(
      { side: old, type: old.typeOf(parameter) },
      { side: next, type: next.typeOf(other) },
      { isOmitted: isOmittable(parameter) },
    );
    if (fit === 'no')
      return { kind: 'parameter_narrowed', text: `takes less as \`${other.name}\``, weight: 3, argument: index };
  }
  return null;
}

function problemOfResult(
  { old, next }: Sides,
  { was, is }: { was: ts.Signature; is: ts.Signature },
  relation: Relation,
): Problem | null {
  const [result, before] = [next.checker.getReturnTypeOfSignature(is), old.checker.getReturnTypeOfSignature(was)];
  if (before.flags & ts.TypeFlags.Void || isPredicate(old, was) !== isPredicate(next, is)) return null;
  const fit = relation.accepts({ side: next, type: result }, { side: old, type: before }, { isRead: true });
  return fit === 'no' ? { kind: 'result_changed', text: 'returns something else', weight: 1 } : null;
}

// Members that a result no longer has.
function missedMembers({ old, next }: Sides, was: ts.Signature, is: ts.Signature): string[] {
  const before = old.checker.getReturnTypeOfSignature(was);
  const after = next.checker.getReturnTypeOfSignature(is);
  const [value, now] = [old.checker.getAwaitedType(before) ?? before, next.checker.getAwaitedType(after) ?? after];
  return old
    .properties(value)
    .map(({ name }) => name)
    .filter((name) => !next.checker.getPropertyOfType(now, name));
}

function tooMany(was: ts.Signature, is: ts.Signature, count: number): Problem | null {
  if (count <= is.parameters.length || hasRest(is) || hasRest(was)) return null;
  const name = was.parameters[is.parameters.length]?.name ?? '';
  return { kind: 'parameter_narrowed', text: `no longer takes \`${name}\``, weight: 4 };
}

// An argument that may be left out is left out, not given as undefined.
function isOmittable(parameter: ts.Symbol): boolean {
  const declaration = parameter.valueDeclaration;
  return Boolean(declaration && ts.isParameter(declaration) && (declaration.questionToken || declaration.initializer));
}

function isPredicate(side: Side, signature: ts.Signature): boolean {
  return side.checker.getTypePredicateOfSignature(signature) !== undefined;
}

// A rest parameter whose type is a list of its own may stand for any number of arguments.
function takesSpread(signature: ts.Signature): boolean {
  return hasRest(signature);
}

function namesOf(signature: ts.Signature): string {
  return signature.parameters.map(({ name }) => name).join(', ');
}
