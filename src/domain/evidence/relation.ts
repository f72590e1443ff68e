// Whether a value of one type can stand where another type is asked for, when both come from different programs. The answer
// is `no` only for a reason that can be named; what depends on type parameters, conditions or missing packages is `unsure`.
import ts from 'typescript-api';
import { primitives } from './primitives.ts';
import type { Side } from './side.ts';
import {
  type Answer,
  hasRest,
  idOf,
  isEnumLike,
  isGenericMapped,
  isNobodys,
  isObject,
  isRest,
  leastArguments,
  nameOf,
  partsOf,
  plainName,
  type Typed,
  UNDECIDABLE,
  wide,
  writable,
} from './type-shapes.ts';

const DEEPEST = 5;
const MAX_STEPS = 4_000;
const MAX_UNION = 400;
const OPEN = ts.TypeFlags.Any | ts.TypeFlags.Unknown;

export class Relation {
  // Names that both versions export are compared on their own, so they are the same here.
  readonly #shared: (a: ts.Symbol, b: ts.Symbol) => boolean;
  readonly #known = new Map<string, Answer>();
  #steps = 0;
  #isRead = false;

  constructor(shared: (a: ts.Symbol, b: ts.Symbol) => boolean) {
    this.#shared = shared;
  }

  // Each question has its own limit of steps, so that the same packages always give the same answer.
  // `isRead`: the value is received, so that a literal is as good as any other value of its kind.
  // `isOmitted`: a source that may be undefined is left out then.
  accepts(source: Typed, target: Typed, { isRead = false, isOmitted = false } = {}): Answer {
    this.#steps = 0;
    this.#isRead = isRead;
    if (isOmitted && source.type.isUnion()) {
      const parts = partsOf(source.type).filter((type) => !(type.flags & ts.TypeFlags.Undefined));
      return all(parts.map((type) => this.#fits({ side: source.side, type }, target, 0)));
    }
    return this.#fits(source, target, 0);
  }

  #fits(given: Typed, asked: Typed, depth: number): Answer {
    const [source, target] = [writable(given), writable(asked)];
    const [s, t] = [source.type, target.type];
    if (t.flags & OPEN || s.flags & (ts.TypeFlags.Any | ts.TypeFlags.Never)) return 'yes';
    if ((s.flags | t.flags) & UNDECIDABLE) return 'unsure';
    this.#steps += 1;
    if (depth > DEEPEST || this.#steps > MAX_STEPS) return 'unsure';
    const key = `${source.side.age} ${this.#isRead} ${depth === 0} ${idOf(s)} ${idOf(t)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, 'unsure');
    const answer = this.#decide(source, target, depth);
    this.#known.set(key, answer);
    return answer;
  }

  #decide(source: Typed, target: Typed, depth: number): Answer {
    const named = this.#byName(source, target, depth);
    if (named !== null) return named;
    const [s, t] = [this.#isRead ? wide(source) : source.type, this.#isRead ? wide(target) : target.type];
    if (s !== source.type || t !== target.type)
      return this.#fits({ ...source, type: s }, { ...target, type: t }, depth);
    if (s.isUnion()) {
      const parts = partsOf(s);
      if (parts.length > MAX_UNION) return 'unsure';
      return all(parts.map((type) => this.#fits({ side: source.side, type }, target, depth)));
    }
    if (t.isUnion()) {
      if (s.isLiteral() && t.types.some((type) => type.isLiteral() && primitives(s, type) === 'yes')) return 'yes';
      const parts = partsOf(t);
      if (parts.length > MAX_UNION) return 'unsure';
      return any(parts.map((type) => this.#fits(source, { side: target.side, type }, depth)));
    }
    if (t.isIntersection()) return all(t.types.map((type) => this.#fits(source, { side: target.side, type }, depth)));
    if (s.isIntersection()) {
      const parts = any(s.types.map((type) => this.#fits({ side: source.side, type }, target, depth)));
      if (parts !== 'no' || !isObject(t)) return parts;
    }
    const plain = primitives(s, t);
    if (plain !== null) return plain;
    if (!isObject(t))
      return isObject(s) || s.isIntersection() ? (t.flags & ts.TypeFlags.NonPrimitive ? 'yes' : 'no') : 'unsure';
    if (isObject(s) || s.isIntersection()) return this.#objects(source, target, depth);
    if (s.flags & ts.TypeFlags.NonPrimitive) return this.#requiresMembers(target) ? 'no' : 'unsure';
    return this.#primitiveAsObject(source, target);
  }

  #requiresMembers({ side, type }: Typed): boolean {
    return side.properties(type).some((one) => !(one.flags & ts.SymbolFlags.Optional));
  }

  // A string where an object is asked for has the members of strings.
  #primitiveAsObject(source: Typed, target: Typed): Answer {
    if (target.type.getCallSignatures().length + target.type.getConstructSignatures().length > 0) return 'no';
    const apparent = source.side.checker.getApparentType(source.type);
    const lacks = target.side
      .properties(target.type)
      .some(
        (one) => !(one.flags & ts.SymbolFlags.Optional) && !source.side.checker.getPropertyOfType(apparent, one.name),
      );
    return lacks ? 'no' : 'unsure';
  }

  #objects(source: Typed, target: Typed, depth: number): Answer {
    const [s, t] = [source.type, target.type];
    if (isGenericMapped(s) || isGenericMapped(t)) return 'unsure';
    if (source.side.hasUnknownBase(s) || target.side.hasUnknownBase(t)) return 'unsure';
    const signatures = this.#signatures(source, target, depth);
    if (signatures === 'no') return 'no';
    const members = this.#members(source, target, depth);
    return members === 'no' ? 'no' : members === 'yes' && signatures === 'yes' ? 'yes' : 'unsure';
  }

  // Types of one name: of the language they are the same; of the package they are told where they are exported, and looked
  // into only where they are what is asked about.
  #byName(source: Typed, target: Typed, depth: number): Answer | null {
    const [a, b] = [nameOf(source.type), nameOf(target.type)];
    if (!a || !b || plainName(a) !== plainName(b) || a.name.startsWith('__')) return null;
    if (isEnumLike(source.type) || isEnumLike(target.type)) return null;
    // What nobody has declared is of the language: `typeof globalThis`.
    if (!a.declarations?.length && !b.declarations?.length) return 'yes';
    const [ofLibrary, alsoOfLibrary] = [source.side.isLibrary(a), target.side.isLibrary(b)];
    if (ofLibrary && alsoOfLibrary) {
      const areObjects = isObject(source.type) && isObject(target.type) && !isGenericMapped(source.type);
      return source.type.aliasSymbol || target.type.aliasSymbol || !areObjects
        ? null
        : this.#arguments(source, target, depth);
    }
    if (ofLibrary !== alsoOfLibrary) return 'unsure';
    if (depth > 0 || this.#isRead || this.#shared(a, b)) return 'yes';
    return this.#isMadeByPackage(source.side.meant(a), target.side.meant(b)) ? 'yes' : null;
  }

  // A name for a type that both versions export is as good as that type. An instance of a class that the package keeps to
  // itself is made by it alone, so that who gives one back has it from the same version.
  #isMadeByPackage(a: ts.Symbol, b: ts.Symbol): boolean {
    if (a.name !== b.name || a.name.startsWith('__')) return false;
    return this.#shared(a, b) || Boolean(a.flags & b.flags & ts.SymbolFlags.Class);
  }

  #arguments(source: Typed, target: Typed, depth: number): Answer {
    const from = source.side.checker.getTypeArguments(source.type as ts.TypeReference) ?? [];
    const to = target.side.checker.getTypeArguments(target.type as ts.TypeReference) ?? [];
    if (from.length === 0 || to.length === 0) return 'yes';
    const pairs = from.slice(0, to.length).map((type, index) => {
      return this.#fits({ side: source.side, type }, { side: target.side, type: to[index] as ts.Type }, depth + 1);
    });
    return all(pairs);
  }

  #members(source: Typed, target: Typed, depth: number): Answer {
    const properties = target.side.properties(target.type);
    const hasIndex = source.side.checker.getIndexInfosOfType(source.type).length > 0;
    const ofLibrary = [source, target].some(({ side, type }) => type.symbol && side.isLibrary(type.symbol));
    let answer: Answer = 'yes';
    for (const property of properties) {
      if (isNobodys(property)) continue;
      const own = source.side.checker.getPropertyOfType(source.type, property.name);
      const isOptionalHere = Boolean(property.flags & ts.SymbolFlags.Optional);
      if (!own) {
        if (isOptionalHere) continue;
        if (!hasIndex) return 'no';
        answer = 'unsure';
        continue;
      }
      if (own.flags & ts.SymbolFlags.Optional && !isOptionalHere) return 'no';
      if (ofLibrary) continue;
      const fit = this.#fits(
        { side: source.side, type: source.side.typeOf(own) },
        { side: target.side, type: target.side.typeOf(property) },
        depth + 1,
      );
      // Parameters of methods may be compared either way, so a difference inside one decides nothing.
      if (fit === 'no' && !(property.flags & ts.SymbolFlags.Method)) return 'no';
      if (fit !== 'yes') answer = 'unsure';
    }
    return answer;
  }

  #signatures(source: Typed, target: Typed, depth: number): Answer {
    const asked = target.type.getCallSignatures();
    const given = source.type.getCallSignatures();
    if (asked.length === 0 && target.type.getConstructSignatures().length === 0) return 'yes';
    if (asked.length > 0 && given.length === 0) return 'no';
    if (target.type.getConstructSignatures().length > 0) {
      return source.type.getConstructSignatures().length > 0 ? 'unsure' : 'no';
    }
    return all(
      asked.map((one) => any(given.map((other) => this.#signature(source.side, other, target.side, one, depth)))),
    );
  }

  // Whether a function can be given where the other one is asked for.
  #signature(from: Side, given: ts.Signature, to: Side, asked: ts.Signature, depth: number): Answer {
    if (given.typeParameters?.length || asked.typeParameters?.length) return 'unsure';
    if (leastArguments(given) > asked.parameters.length && !hasRest(asked)) return 'no';
    const result = to.checker.getReturnTypeOfSignature(asked);
    let answer: Answer =
      result.flags & ts.TypeFlags.Void
        ? 'yes'
        : this.#fits(
            { side: from, type: from.checker.getReturnTypeOfSignature(given) },
            { side: to, type: result },
            depth + 1,
          );
    const count = Math.min(given.parameters.length, asked.parameters.length);
    for (let index = 0; index < count && answer !== 'no'; index += 1) {
      const [mine, theirs] = [given.parameters[index] as ts.Symbol, asked.parameters[index] as ts.Symbol];
      if (isRest(mine) || isRest(theirs)) return answer === 'yes' ? 'unsure' : answer;
      const fit = this.#fits({ side: to, type: to.typeOf(theirs) }, { side: from, type: from.typeOf(mine) }, depth + 1);
      if (fit === 'no') return 'no';
      if (fit === 'unsure') answer = 'unsure';
    }
    return answer;
  }
}

function all(answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no';
  return answers.includes('unsure') ? 'unsure' : 'yes';
}

function any(answers: readonly Answer[]): Answer {
  if (answers.includes('yes')) return 'yes';
  return answers.includes('unsure') ? 'unsure' : 'no';
}
