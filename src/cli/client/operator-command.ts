// Operator commands: a call of the API whose body fields are flags.
import type { EditedField } from '../../contract/edited-fields.ts';
import { type Argument, type Command, EXIT, type Flag, type FlagValues, textFlag, UsageError } from '../command.ts';
import type { ApiCall, Query } from './api.ts';
import { clientCommand, confirmed, type Session } from './client-command.ts';
import type { Field } from './output.ts';
import { printRecord } from './records.ts';

// A field of a request body; its flag has the same name with dashes.
export function bodyField(field: EditedField): EditedField {
  return field;
}

export function withoutName(fields: readonly EditedField[]): EditedField[] {
  return fields.filter(({ name }) => name !== 'name');
}

// The fields that --clear takes.
export function clearable(fields: readonly EditedField[]): string[] {
  return fields.flatMap(({ name, clears }) => (clears ? [name] : []));
}

interface OperatorDeclaration {
  name: string;
  summary: string;
  arguments?: readonly Argument[];
  fields?: readonly EditedField[];
  // Fields that --clear sets to null.
  clears?: readonly string[];
  flags?: Record<string, Flag>;
  // The question that must be confirmed before the call.
  question?: (session: Session) => string;
  examples: readonly string[];
  call(session: Session, body: Record<string, unknown>): ApiCall | Promise<ApiCall>;
  // The line that is printed instead of the fields of the response.
  done?(session: Session, answer: unknown): string;
}

const CLEAR: Flag = { type: 'string', value: 'fields', help: 'fields to set to nothing, separated by commas' };

export function operatorCommand(declaration: OperatorDeclaration): Command {
  const { fields = [], clears = [], question } = declaration;
  return clientCommand({
    name: declaration.name,
    summary: declaration.summary,
    arguments: declaration.arguments ?? [],
    flags: {
      ...Object.fromEntries(fields.flatMap(fieldFlags)),
      ...(clears.length > 0 ? { clear: { ...CLEAR, help: `${CLEAR.help}: ${clears.join(', ')}` } } : {}),
      ...declaration.flags,
    },
    ...(question ? { confirms: true } : {}),
    examples: declaration.examples,
    async run(session) {
      const body = { ...bodyOf(session.flags, fields), ...clearedFields(session.flags, clears) };
      const call = await declaration.call(session, body);
      if (question && !(await confirmed(session, question(session)))) return EXIT.failure;
      const answer = await session.api.send<unknown>(call);
      if (session.output.mode === 'json') session.output.json(answer ?? { ok: true });
      else if (declaration.done) session.output.line(declaration.done(session, answer));
      else printRecord(session.output, { answer, fields: answerFields(answer) });
      return EXIT.ok;
    },
  });
}

function flagName({ name, flag }: EditedField): string {
  return flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

// A boolean field has a flag with its name, and one with `no-` before it that unsets the field.
export function fieldFlags(field: EditedField): [name: string, flag: Flag][] {
  const name = flagName(field);
  if (field.kind === 'switch') {
    return [
      [name, { type: 'boolean', help: field.help }],
      [`no-${name}`, { type: 'boolean', help: `not ${name}` }],
    ];
  }
  const value = { text: 'text', number: 'n', list: 'a,b,…' }[field.kind];
  return [[name, { type: 'string', value, help: field.help, ...(field.choices ? { choices: field.choices } : {}) }]];
}

export function bodyOf(flags: FlagValues, fields: readonly EditedField[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = givenValue(flags, field);
    if (value !== undefined) body[field.name] = value;
  }
  return body;
}

function givenValue(flags: FlagValues, field: EditedField): unknown {
  const name = flagName(field);
  if (field.kind === 'switch') {
    if (flags[name] && flags[`no-${name}`]) throw new UsageError(`--${name} and --no-${name} exclude each other`);
    return flags[name] ? true : flags[`no-${name}`] ? false : undefined;
  }
  const text = textFlag(flags, name);
  if (text === undefined || field.kind === 'text') return text;
  if (field.kind === 'list')
    return text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
  if (!/^-?\d+$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}"`);
  return Number(text);
}

function clearedFields(flags: FlagValues, clears: readonly string[]): Record<string, null> {
  const names =
    textFlag(flags, 'clear')
      ?.split(',')
      .map((name) => name.trim()) ?? [];
  const wrong = names.find((name) => !clears.includes(name));
  if (wrong !== undefined) throw new UsageError(`--clear takes ${clears.join(', ')}, not "${wrong}"`);
  return Object.fromEntries(names.map((name) => [name, null]));
}

// An edit without any change is a usage error.
export function changeOf(body: Record<string, unknown>): Record<string, unknown> {
  if (Object.keys(body).length === 0) throw new UsageError('say what to change');
  return body;
}

// Query parameters from boolean flags: `dry-run` becomes `dryRun=true`.
export function switches(flags: FlagValues, ...names: string[]): Query {
  const given = names.filter((name) => flags[name] === true);
  return Object.fromEntries(given.map((name) => [name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()), true]));
}

// The scalar fields of a response, and the lengths of its lists.
export function answerFields(answer: unknown): Field[] {
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]): Field[] => {
    if (Array.isArray(value)) {
      const isPlain = value.every((one) => typeof one !== 'object');
      return [[name, isPlain ? value.map(String) : value.length]];
    }
    if (typeof value === 'object' && value !== null) return [[name, JSON.stringify(value)]];
    return [[name, value]];
  });
}
