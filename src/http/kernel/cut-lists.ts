import type { z } from 'zod';

// A list that is too long is cut to one item more than allowed: that is enough to refuse it, and each further item
// would cost time.
export function cutLists(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] };
  if (typeof value !== 'object' || value === null) return value;
  if (def.type === 'optional' || def.type === 'nullable') return cutLists(def.innerType, value);
  if (def.type === 'array' && Array.isArray(value)) {
    const most = mostItems(def.checks);
    const items = value.length > most ? value.slice(0, most + 1) : value;
    return items.map((item) => cutLists(def.element, item));
  }
  if (def.type !== 'object' || Array.isArray(value)) return value;
  const fields = Object.entries(value).map(([name, item]) => {
    const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
    return [name, field ? cutLists(field, item) : item];
  });
  return Object.fromEntries(fields);
}

function mostItems(checks: readonly z.core.$ZodCheck<never>[] = []): number {
  const limits = checks.flatMap(({ _zod: { def } }) => ('maximum' in def ? Number(def.maximum) : []));
  return Math.min(Number.POSITIVE_INFINITY, ...limits);
}
