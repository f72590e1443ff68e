import { reencryptFeeds } from '../accounts/feed-secret.ts';
import { PRIVATE_FEED } from '../accounts/following/feed-token.ts';
import { STACK_FEED } from '../accounts/stacks/feed-token.ts';
import type { Context } from '../context.ts';
import { reencryptRegistryTokens } from '../ingest/registries/manage.ts';
import { migrationState } from '../store/migrate.ts';
import { reencryptKeys } from '../webhooks/keys.ts';
import { CommandFailure, EXIT, type Invocation } from './command.ts';
import { openUnmigrated } from './service.ts';

export async function migrate({ env, flags, terminal }: Invocation): Promise<number> {
  const { ctx, close } = await openUnmigrated({ env, flags });
  const print = (value: Record<string, unknown>, lines: string[]) => {
    for (const line of flags.json ? [JSON.stringify(value)] : lines) terminal.out(line);
  };
  try {
    const { applied, pending } = await migrationState(ctx.store.read);
    if (flags.status) {
      print({ applied, pending }, [...listed('applied', applied), ...listed('pending', pending)]);
    } else if (flags['dry-run']) {
      print({ pending }, pending.length > 0 ? listed('would apply', pending) : ['nothing to apply']);
    } else {
      const names = await ctx.store.migrate();
      const lines = names.length > 0 ? names.map((name) => `applied\t${name}`) : ['nothing to apply'];
      if (!flags.reencrypt) {
        print({ applied: names }, lines);
      } else {
        const { moved, unreadable } = await reencrypt(ctx);
        print({ applied: names, reencrypted: moved, unreadable }, [...lines, `reencrypted\t${moved}`]);
        requireReadable(unreadable);
      }
    }
  } finally {
    await close();
  }
  return EXIT.ok;
}

async function reencrypt(ctx: Context): Promise<{ moved: number; unreadable: number }> {
  const { reencryptSigningKeys } = await import('../accounts/auth/signing-keys.ts');
  const parts = [
    await reencryptFeeds(ctx, PRIVATE_FEED),
    await reencryptFeeds(ctx, STACK_FEED),
    await reencryptSigningKeys(ctx),
    await reencryptKeys(ctx),
    await reencryptRegistryTokens(ctx),
  ];
  return {
    moved: parts.reduce((sum, part) => sum + part.moved, 0),
    unreadable: parts.reduce((sum, part) => sum + part.unreadable, 0),
  };
}

function requireReadable(unreadable: number): void {
  if (unreadable === 0) return;
  throw new CommandFailure(
    `${unreadable} stored secrets open with none of the given ones; name theirs in REGISTRY_SECRET_PREVIOUS`,
  );
}

function listed(state: string, migrations: readonly { number: number; name: string }[]): string[] {
  return migrations.map(({ number, name }) => `${state}\t${number}\t${name}`);
}
