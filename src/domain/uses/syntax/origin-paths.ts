// Paths of names from a module inwards.
import { ELEMENT, INSTANCE, type Origin } from '../touch.ts';
import type { Key } from './scopes.ts';

export const DEEPEST = 40;
const MAX_ORIGINS = 32;

export function distinct(origins: readonly Origin[]): readonly Origin[] {
  if (origins.length < 2) return origins;
  const byPath = new Map(
    origins.map((origin) => [`${origin.how} ${origin.specifier} ${origin.path.join(' ')}`, origin]),
  );
  return [...byPath.values()].slice(0, MAX_ORIGINS);
}

export function stepped(origins: readonly Origin[], step: string): Origin[] {
  return origins.flatMap((origin) =>
    origin.path.length < DEEPEST ? [{ ...origin, path: [...origin.path, step] }] : [],
  );
}

export function instances(origins: readonly Origin[]): Origin[] {
  return stepped(origins, INSTANCE);
}

export function takenApart(origins: readonly Origin[], keys: readonly Key[]): readonly Origin[] {
  return keys.reduce<readonly Origin[]>((now, key) => {
    if (key === 'rest') return now;
    if (key === 'computed') return [];
    return stepped(now, 'name' in key ? key.name : ELEMENT);
  }, origins);
}
