// The routes of webhooks over a real socket, once for a suite, and each time another account that calls them.
import { pino } from 'pino';
import { createApiKey } from '../../src/accounts/api-keys/manage.ts';
import type { TestEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';
import { HOOK_URL, newAccount, openWorld, type World } from './fixture.ts';

// What is logged is added to `lines`.
export function openRoutes(engine: TestEngine, lines: string[]) {
  let opened: Promise<World & { service: Service }> | null = null;
  async function open() {
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const world = await openWorld(engine, { log });
    return { ...world, service: await startService(world.app) };
  }
  return async () => {
    opened ??= open();
    const world = await opened;
    const { userId } = await newAccount(world.ctx);
    const { key } = await createApiKey(world.ctx, { userId, name: 'test', expiresAt: null });
    const me = world.service.as(key);
    const body = { url: HOOK_URL, orgSlug: world.org.slug };
    const create = async (more: object = {}) => (await me.post('/v1/me/webhooks', { ...body, ...more })).body;
    return { ...world, userId, me, body, create };
  };
}
