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
}

interface Sides {
  old: Side;
  next: Side;
}

const MAX_OVERLOADS = 60;

// The first call form of the old version that none of the new ones takes, and why the nearest one does not.
export function changedSignature(
  name: string,
  { old, next }: Sides,
  [before, after]: readonly [readonly ts.Signature[], readonly ts.Signature[]],
  relation: Relation,
): SignatureChange | null {
  if (before.length === 0 || after.length === 0) return null;
  if (before.length > MAX_OVERLOADS || after.length > MAX_OVERLOADS) return null;
  for (const was of before) {
    let nearest: { problem: Problem; is: ts.Signature } | null = null;
    for (const is of after) {
      const problem = problemOf({ old, next }, was, is, relation);
      if (problem === null) {
        nearest = null;
        break;
      }
      if (nearest === null || problem.weight < nearest.problem.weight) nearest = { problem, is };
    }
    if (nearest === null) continue;
    const { kind, text } = nearest.problem;
    return {
      kind,
      was: old.showSignature(name, was),
      is: next.showSignature(name, nearest.is),
      text: `\`${name}(${namesOf(was)})\` ${text}`,
    };
  }
  return null;
}

interface Problem {
  kind: FindingKind;
  text: string;
  weight: number;
}

function problemOf({ old, next }: Sides, was: ts.Signature, is: ts.Signature, relation: Relation): Problem | null {
  const [least, needed] = [leastArguments(was), leastArguments(is)];
  if (needed > least && !takesSpread(was)) {
    const name = is.parameters[needed - 1]?.name ?? 'an argument';
    return { kind: 'parameter_required', text: `now needs \`${name}\``, weight: 2 + needed - least };
  }
  if (was.parameters.length > is.parameters.length && !hasRest(is) && !hasRest(was)) {
    const name = was.parameters[is.parameters.length]?.name ?? '';
    return { kind: 'parameter_narrowed', text: `no longer takes \`${name}\``, weight: 4 };
  }
  for (const [index, parameter] of was.parameters.entries()) {
    const other = is.parameters[index];
    if (!other || isRest(parameter) || isRest(other)) break;
    const fit = relation.accepts(
      { side: old, type: old.typeOf(parameter) },
      { side: next, type: next.typeOf(other) },
      { isOmitted: isOmittable(parameter) },
    );
    if (fit === 'no') return { kind: 'parameter_narrowed', text: `takes less as \`${other.name}\``, weight: 3 };
  }
  const [result, before] = [next.checker.getReturnTypeOfSignature(is), old.checker.getReturnTypeOfSignature(was)];
  if (before.flags & ts.TypeFlags.Void || isPredicate(old, was) !== isPredicate(next, is)) return null;
  const fit = relation.accepts({ side: next, type: result }, { side: old, type: before }, { isRead: true });
  return fit === 'no' ? { kind: 'result_changed', text: 'returns something else', weight: 1 } : null;
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
