// Counts which packages people ask about, in memory and once an address, and writes the counts at intervals: a read writes nothing.
import { type Context, transact } from '../../context.ts';
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { isEcosystem, isPossibleName, normalizePackageName, type PackageName } from '../../domain/ecosystems/index.ts';
import { addressKey } from '../../domain/net/address-key.ts';
import { packageKey, packageOfKey } from '../../domain/published-package.ts';
import type { ShownUpgradeRow } from '../../store/schema/shown-upgrades.ts';
import type { Store } from '../../store/store.ts';

// Callers choose the names, so their number is bounded.
const MAX_COUNTED = 10_000;

const counted = new WeakMap<Store, Map<string, Set<string>>>();

// Only what is known here counts, and only where somebody has asked.
export function noteAsked(ctx: Context, { package: name, ecosystem, source, history }: WhatsChanged): void {
  const { kind, ip, passive, unread, account } = ctx.caller;
  if (kind === 'system' || passive || unread || !isEcosystem(ecosystem) || !isPossibleName(ecosystem, name)) return;
  if (source === null && history?.published == null) return;
  const asked = counted.get(ctx.store) ?? new Map<string, Set<string>>();
  counted.set(ctx.store, asked);
  const key = packageKey({ ecosystem, name: normalizePackageName(ecosystem, name) });
  const who = asked.get(key) ?? new Set<string>();
  if (who.size >= MAX_COUNTED || (asked.size >= MAX_COUNTED && !asked.has(key))) return;
  asked.set(key, who.add(account?.userId ?? addressKey(ip)));
}

// Returns how many packages were written.
export async function writeAsked(ctx: Context): Promise<number> {
  const asked = counted.get(ctx.store);
  if (!asked || asked.size === 0) return 0;
  counted.set(ctx.store, new Map());
  // Sorted, so that two processes lock rows in the same order.
  const rows = [...asked].sort(([a], [b]) => (a < b ? -1 : 1));
  const named = rows.flatMap(([key, who]) => {
    const of = packageOfKey(key);
    return of ? [{ ...of, times: who.size }] : [];
  });
  await transact(ctx, ({ tx }) => addShown(tx, named), 'bookkeeping');
  return named.length;
}

export async function addShown(
  tx: Pick<Context['store']['read'], 'insertInto'>,
  named: readonly (PackageName & { times: number })[],
): Promise<void> {
  for (const { ecosystem, name, times } of named) {
    await tx
      .insertInto('shown_upgrades')
      .values({ ...NOT_JUDGED, ecosystem, name, spelling: name, asked: times })
      .onConflict((conflict) =>
        conflict
          .columns(['ecosystem', 'name'])
          .doUpdateSet((eb) => ({ asked: eb('shown_upgrades.asked', '+', times) })),
      )
      .execute();
  }
}

const NOT_JUDGED: Omit<ShownUpgradeRow, 'ecosystem' | 'name' | 'spelling' | 'asked'> = {
  from_version: null,
  to_version: null,
  level: null,
  reason: null,
  versions: 0,
  breaking: 0,
  unnoted: 0,
  proven: 0,
  likely: 0,
  steps: 0,
  basis: null,
  judged_at: null,
};
