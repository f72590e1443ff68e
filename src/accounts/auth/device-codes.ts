// What device logins need beyond what the sign-in library stores of them.
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import { type Context, queries, transact } from '../../context.ts';
import { hashOf } from '../../domain/secret-text.ts';
import type { DeviceCodeRow } from '../../store/schema/oauth.ts';

const SLOWER_MS = 5000;

export function shownUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

// Users leave out the dash and mix up upper and lower case.
export function normalUserCode(typed: string): string {
  return typed.replaceAll(/[^0-9a-z]/gi, '').toUpperCase();
}

export async function findDeviceCode(ctx: Context, userCode: string): Promise<DeviceCodeRow | null> {
  const row = await queries(ctx)
    .selectFrom('device_codes')
    .selectAll()
    .where('user_code', '=', normalUserCode(userCode))
    .executeTakeFirst();
  return row ?? null;
}

// Where the device asked from, so that whoever approves can tell it from a stranger's.
export async function addressOfDevice(ctx: Context, input: { deviceCode: string; address: string }): Promise<void> {
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .updateTable('device_codes')
        .set({ ip_address: input.address })
        .where('device_code', '=', hashOf(input.deviceCode))
        .execute(),
    'bookkeeping',
  );
}

// A device that asks too often has to wait longer from now on.
export async function slowDown(ctx: Context, deviceCode: string): Promise<void> {
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .updateTable('device_codes')
        .set({ polling_interval: sql`polling_interval + ${SLOWER_MS}` })
        .where('device_code', '=', hashOf(deviceCode))
        .execute(),
    'bookkeeping',
  );
}

const COMMAND_LINE = 'registry-cli';

export function isDeviceClient({ deviceClients }: Pick<Config, 'deviceClients'>, id: unknown): boolean {
  return id === COMMAND_LINE || (typeof id === 'string' && deviceClients.includes(id));
}
