// What update bots ask. Renovate ends its whole run on 403, 5xx and broken connections, so a wrong key, a limit and a fault of
// ours are neutral answers, and the operator sees them counted.
import type { Context } from '../../context.ts';
import { botAvailability, botReleases, mergeConfidence as confidenceShape } from '../../contract/bots.ts';
import { ApiError } from '../../contract/errors.ts';
import { mergeConfidence } from '../../packages/bots/merge-confidence.ts';
import { botReleases as readReleases } from '../../packages/bots/releases.ts';
import { identifyCaller } from '../kernel/caller.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { JSON_TYPE, Reply } from '../kernel/reply.ts';
import { type RequestInfo, type RouteDeclaration, type RouteGroup, route } from '../kernel/route.ts';

const tag = 'Bots';
const NEUTRAL = { confidence: 'neutral' };
// Below the two seconds in which every question is answered.
const MAX_MS = 1500;

const described = { method: 'GET', tag, access: 'public', cache: 'never', isRoot: true } as const;

const RELEASES = ['/renovate/{ecosystem}/{package}', '/renovate/{ecosystem}/{scope}/{package}'] as const;

export function botGroup(kernel: Kernel): RouteGroup {
  return { prefix: '/bots', routes: botRoutes(kernel) };
}

// Without a kernel they are only described.
export function botRoutes(kernel?: Kernel): RouteDeclaration[] {
  const count = (reason: string) => kernel?.meter.countBotFault(reason);
  return [
    route({
      ...described,
      path: '/renovate/api/mc/availability',
      summary: 'Whether merge confidence can be asked for',
      description: 'Renovate asks this at its start. Any token or none is taken.',
      answers: { 200: botAvailability },
      failure: () => json(200, { available: true }),
      run: async () => ({ available: true }),
    }),
    route({
      ...described,
      path: '/renovate/api/mc/json/{datasource}/{package}/{from}/{to}',
      summary: 'How sure Renovate may be of one update',
      description:
        'From stored results alone, within two seconds. Unknown packages, unreadable versions, what is not compared yet, limits and faults are neutral.',
      answers: { 200: confidenceShape },
      failure: (error) => {
        count(error.status < 500 ? 'refused' : 'fault');
        return json(200, NEUTRAL);
      },
      run: async (called, { params: { datasource = '', package: name = '', from = '', to = '' } }, request) => {
        const { ctx, isLimited, isWrongKey } = await admitted(kernel, called, request, count);
        if (isLimited) count('limit');
        if (isLimited || isWrongKey) return NEUTRAL;
        const asked = { datasource, package: name, from, to };
        const confidence = await inTime(mergeConfidence(ctx, asked));
        if (confidence === null) count('time');
        return confidence === null ? NEUTRAL : { confidence };
      },
    }),
    ...RELEASES.map((path) =>
      route({
        ...described,
        path,
        summary: 'The versions of a package, for a custom datasource of Renovate',
        description:
          'Every published version that can be installed, with its date. The slash of a scoped name may be plain.',
        answers: { 200: botReleases },
        errors: ['not_found', 'rate_limited'],
        failure: (error) => {
          if (error.status === 404 || error.status === 429) return json(error.status, error.toBody());
          count('fault');
          return json(200, { releases: [] });
        },
        run: async (called, { params: { ecosystem = '', scope, package: name = '' } }, request) => {
          const { ctx, isLimited } = await admitted(kernel, called, request, count);
          if (isLimited) throw new ApiError('rate_limited', 'too many questions; try again in a minute');
          const asked = { ecosystem, name: scope === undefined ? name : `${scope}/${name}` };
          const releases = await inTime(readReleases(ctx, asked));
          if (releases === null) count('time');
          return releases ?? { releases: [] };
        },
      }),
    ),
  ];
}

function json(status: number, body: unknown): Reply {
  return new Reply(status, JSON.stringify(body), { 'Content-Type': JSON_TYPE });
}

interface Admitted {
  ctx: Context;
  isLimited: boolean;
  isWrongKey: boolean;
}

// Bots need some text as a token, and any will do; what has the form of a key of ours has to be one.
const KEY_FORM = /^Bearer\s+(?:rel[a-z]+_|[\w-]+\.[\w-]+\.[\w-]+\s*$)/i;

async function admitted(
  kernel: Kernel | undefined,
  ctx: Context,
  { headers: { authorization }, client }: RequestInfo,
  count: (reason: string) => void,
): Promise<Admitted> {
  if (!kernel) return { ctx, isLimited: false, isWrongKey: false };
  const presented = { authorization, cookies: undefined, ip: client.ip };
  const identity = await identifyCaller(kernel.credentials, presented, 'public').catch((err: unknown) => {
    ctx.log.warn({ err }, 'the key of a bot could not be checked');
    return null;
  });
  const caller = identity?.caller ?? ctx.caller;
  const isWrongKey = KEY_FORM.test(authorization ?? '') && caller.kind === 'anonymous';
  if (isWrongKey) count('key');
  return { ctx: { ...ctx, caller }, isLimited: kernel.tiers.take(caller, client)?.allowed === false, isWrongKey };
}

// Null when it takes too long; the work goes on unseen.
async function inTime<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), MAX_MS);
  });
  work.catch(() => {});
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
