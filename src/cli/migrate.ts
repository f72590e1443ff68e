import { migrationState } from '../store/migrate.ts';
import { EXIT, type Invocation } from './command.ts';
import { openUnmigrated } from './service.ts';

export async function migrate({ env, flags, terminal }: Invocation): Promise<number> {
  const { ctx, close } = await openUnmigrated({ env, flags });
  const tell = (value: Record<string, unknown>, lines: string[]) => {
    for (const line of flags.json ? [JSON.stringify(value)] : lines) terminal.out(line);
  };
  try {
    const { applied, pending } = await migrationState(ctx.store.read);
    if (flags.status) {
      tell({ applied, pending }, [...listed('applied', applied), ...listed('pending', pending)]);
    } else if (flags['dry-run']) {
      tell({ pending }, pending.length > 0 ? listed('would apply', pending) : ['nothing to apply']);
    } else {
      const names = await ctx.store.migrate();
      tell({ applied: names }, names.length > 0 ? names.map((name) => `applied\t${name}`) : ['nothing to apply']);
    }
  } finally {
    await close();
  }
  return EXIT.ok;
}

function listed(state: string, migrations: readonly { number: number; name: string }[]): string[] {
  return migrations.map(({ number, name }) => `${state}\t${number}\t${name}`);
}
