// Session tokens and device codes are stored as SHA-256, so that a copy of the database signs nobody in. The sign-in
// library knows only the values themselves: what it looks up by is hashed on the way in, and a row that was looked up by
// a value comes back with that value.
import { randomBytes } from 'node:crypto';
import type { CleanedWhere } from 'better-auth/adapters';
import { hashOf } from '../../domain/secret-text.ts';
import type { LibraryRow } from './rows.ts';

const SECRET_FIELDS: Record<string, string> = { session: 'token', deviceCode: 'deviceCode' };

// A row that was found by other means has no value to show. Its handle names it within this process, for the calls that
// go on to end that session; nobody outside can make one.
const HANDLE_PREFIX = `${randomBytes(32).toString('base64url')}:`;

export function handleOf(stored: string): string {
  return HANDLE_PREFIX + stored;
}

function storedSecret(value: string): string {
  return value.startsWith(HANDLE_PREFIX) ? value.slice(HANDLE_PREFIX.length) : hashOf(value);
}

export function hashedFields(model: string, fields: LibraryRow): LibraryRow {
  const field = SECRET_FIELDS[model];
  const value = field === undefined ? undefined : fields[field];
  return field !== undefined && typeof value === 'string' ? { ...fields, [field]: storedSecret(value) } : fields;
}

export function hashedWhere(model: string, where: CleanedWhere[]): CleanedWhere[] {
  return where.map((condition) => {
    if (condition.field !== SECRET_FIELDS[model]) return condition;
    return { ...condition, value: valuesOf(condition).map(storedSecret), operator: asList(condition) };
  });
}

// Gives rows the values by which the library knows them.
export function revealed(model: string, row: LibraryRow, known: readonly string[]): LibraryRow {
  const field = SECRET_FIELDS[model];
  if (field === undefined || typeof row[field] !== 'string') return row;
  const value = known.find((candidate) => storedSecret(candidate) === row[field]);
  return { ...row, [field]: value ?? handleOf(row[field]) };
}

// The values that a call names, in its conditions or in the fields that it sets.
export function knownSecrets(model: string, where: readonly CleanedWhere[], fields: LibraryRow = {}): string[] {
  const field = SECRET_FIELDS[model];
  if (field === undefined) return [];
  const set = fields[field];
  const requested = where.filter((condition) => condition.field === field).flatMap(valuesOf);
  return typeof set === 'string' ? [...requested, set] : requested;
}

function valuesOf({ value }: CleanedWhere): string[] {
  return [value].flat().filter((each) => typeof each === 'string');
}

function asList({ operator }: CleanedWhere): CleanedWhere['operator'] {
  if (operator === 'eq' || operator === 'in') return 'in';
  if (operator === 'ne' || operator === 'not_in') return 'not_in';
  throw new Error(`the sign-in library compares a secret by ${operator}`);
}
