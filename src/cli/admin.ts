// `registry admin user …`: manages accounts directly in the database on the server's host, never over HTTP.
import { createResetLink } from '../accounts/auth/reset-link.ts';
import { deleteUser, findUserByEmail, listUsers, setUserDisabled } from '../accounts/auth/users.ts';
import { type Context, transact } from '../context.ts';
import type { Caller } from '../contract/caller.ts';
import { recordAudit } from '../entities/audit.ts';
import type { UserRow } from '../store/schema/accounts.ts';
import { CommandFailure, EXIT, type Invocation, UsageError } from './command.ts';
import { openService } from './service.ts';

const USE = 'use `registry admin user list`, or `registry admin user disable|enable|delete|reset-link <email>`';

export async function adminUser({ positionals, flags, env, terminal }: Invocation): Promise<number> {
  const [verb = '', email, ...rest] = positionals;
  const act = ACTS[verb];
  if (!act || rest.length > 0 || (verb === 'list') !== (email === undefined)) throw new UsageError(USE);
  if (verb === 'delete' && !flags.yes) throw new UsageError('deleting an account cannot be undone; add --yes');
  const { ctx, close } = await openService({ env, flags: { ...flags, 'no-migrate': true } });
  try {
    const { lines, value } = await act(ctx, email ?? '');
    for (const line of flags.json ? [JSON.stringify(value)] : lines) terminal.out(line);
  } finally {
    await close();
  }
  return EXIT.ok;
}

// A person who can run this program on the server's host is its operator.
const OPERATOR: Caller = { kind: 'root', name: 'cli', scope: 'admin', tokenId: null, ip: '' };

// The change and its audit row are one transaction. The row never contains the link or the address.
function audited(
  ctx: Context,
  entry: { action: string; userId: string; after?: unknown },
  change: (ctx: Context) => Promise<void>,
): Promise<void> {
  return transact({ ...ctx, caller: OPERATOR }, async (ctx) => {
    await change(ctx);
    const { action, userId, after } = entry;
    await recordAudit(ctx, { action, targetType: 'user', targetId: userId, after });
  });
}

interface AccountOutcome {
  lines: string[];
  value: unknown;
}

const ACTS: Record<string, (ctx: Context, email: string) => Promise<AccountOutcome>> = {
  async list(ctx) {
    const users = (await listUsers(ctx)).map(shown);
    const lines = users.map(({ id, email, name, disabled }) =>
      [id, email, name, disabled ? 'disabled' : ''].join('\t'),
    );
    return { lines, value: { users } };
  },
  disable: (ctx, email) => setDisabled(ctx, email, true),
  enable: (ctx, email) => setDisabled(ctx, email, false),
  async delete(ctx, email) {
    const { id } = await userOf(ctx, email);
    await audited(ctx, { action: 'user.delete', userId: id }, (ctx) => deleteUser(ctx, { userId: id }));
    return { lines: [`deleted ${id}`], value: { deleted: id } };
  },
  // The link is printed, because anyone who has it can choose the password.
  async 'reset-link'(ctx, email) {
    const { id } = await userOf(ctx, email);
    let link = '';
    await audited(ctx, { action: 'user.reset_link', userId: id }, async (ctx) => {
      link = await createResetLink(ctx, { userId: id });
    });
    return { lines: [link], value: { userId: id, link } };
  },
};

async function setDisabled(ctx: Context, email: string, disabled: boolean): Promise<AccountOutcome> {
  const { id } = await userOf(ctx, email);
  const action = disabled ? 'user.disable' : 'user.enable';
  await audited(ctx, { action, userId: id, after: { disabled } }, (ctx) =>
    setUserDisabled(ctx, { userId: id, disabled }),
  );
  return { lines: [`${disabled ? 'disabled' : 'enabled'} ${id}`], value: { id, disabled } };
}

async function userOf(ctx: Context, email: string): Promise<UserRow> {
  const user = await findUserByEmail(ctx, email);
  if (!user) throw new CommandFailure(`there is no account with the address ${email}`);
  return user;
}

function shown({ id, email, name, created_at, disabled_at }: UserRow) {
  return { id, email, name, createdAt: created_at, disabled: disabled_at !== null };
}
