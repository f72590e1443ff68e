// Clients that need a name alone: to import it, to read a member, to stand where a type stands.
import { access, expressionOf, importLine, isWord, typeArguments, valueName, type Way } from './client.ts';

// An export that is gone.
export function importClients(way: Way, isType: boolean): string[] {
  if (way.by === 'global') return [`${importLine(way)}\n${isType ? `let value: ${way.name};` : `${way.name};`}`];
  return [importLine(way, [], isType)];
}

// A name inside of a namespace.
export function insideClients(way: Way, isType: boolean, least: number): string[] {
  const name = expressionOf(way);
  return [`${importLine(way)}\n${isType ? `let value: ${name}${typeArguments(least)};` : `${name};`}`];
}

// A name that is no value any more.
export function valueClients(way: Way): string[] {
  return [`${importLine(way)}\n${expressionOf(way)};`];
}

// A name that is no type any more, or takes other type arguments.
export function typeClients(way: Way, counts: readonly number[]): string[] {
  return counts.map((count) => `${importLine(way, [], true)}\nlet value: ${expressionOf(way)}${typeArguments(count)};`);
}

// A default that is gone: whoever imports a module without one gets the module.
export function defaultClients(way: Way, isCalled: boolean, isMade: boolean, members: readonly string[]): string[] {
  const name = expressionOf(way);
  const lines = [
    ...(isCalled ? [`type Result = ReturnType<typeof ${name}>;`] : []),
    ...(isMade ? [`type Instance = InstanceType<typeof ${name}>;`] : []),
    ...members.map((member) => `${name}${access(member)};`),
    `let value: ${name};`,
    `${name};`,
  ];
  return lines.map((line) => `${importLine(way)}\n${line}`);
}

export interface MemberOf {
  way: Way;
  member: string;
  // Type arguments that the owner wants; null for a member of a value.
  least: number | null;
  isProtected: boolean;
}

export function memberClients({ way, member, least, isProtected }: MemberOf): string[] {
  const name = expressionOf(way);
  if (least === null) return [`${importLine(way)}\n${name}${access(member)};`];
  const type = `${name}${typeArguments(least)}`;
  if (isProtected) {
    return [`${importLine(way)}\nclass Own extends ${type} {\n  own() {\n    this${access(member)};\n  }\n}`];
  }
  const value = valueName(way.name);
  return [`${importLine(way, [], way.by === 'name')}\ndeclare const ${value}: ${type};\n${value}${access(member)};`];
}

// A member of options that people write.
export function writtenClients({ way, member, least }: MemberOf, values: readonly string[]): string[] {
  const type = `${expressionOf(way)}${typeArguments(least ?? 0)}`;
  const key = isWord(member) ? member : JSON.stringify(member);
  return values.map((value) => `${importLine(way, [], true)}\nconst value: Partial<${type}> = { ${key}: ${value} };`);
}

// A member that is received as something else: it is given on as what it was.
export function readClients({ way, member, least }: MemberOf, types: readonly string[]): string[] {
  const value = valueName(way.name);
  const owner =
    least === null
      ? expressionOf(way)
      : `declare const ${value}: ${expressionOf(way)}${typeArguments(least)};\n${value}`;
  const [declared, from] = least === null ? ['', owner] : [`${owner.split('\n')[0]}\n`, value];
  return types.map(
    (type) =>
      `${importLine(way, [], least !== null && way.by === 'name')}\n${declared}const is: ${type} = ${from}${access(member)};`,
  );
}

// A constant that is given on as what it was.
export function heldClients(way: Way, types: readonly string[]): string[] {
  return types.map((type) => `${importLine(way)}\nconst value: ${type} = ${expressionOf(way)};`);
}

// A literal that a type no longer has.
export function literalClients(way: Way, literal: string): string[] {
  return [`${importLine(way, [], true)}\nconst value: ${expressionOf(way)} = ${literal};`];
}

// An object as it was written, which now lacks something.
export function wholeClients({ way, least }: MemberOf, values: readonly string[]): string[] {
  const type = `${expressionOf(way)}${typeArguments(least ?? 0)}`;
  return values.slice(0, 1).map((value) => `${importLine(way, [], true)}\nconst value: ${type} = ${value};`);
}
