// Has a repository or a package read through the call of the API that does so, with its limits and rules, and leads back to
// the page that the reader came from with what came of it.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { LookupAnswer } from '../../contract/lookup-run.ts';
import { stackName } from '../../contract/stack.ts';
import { UPGRADE_ECOSYSTEMS } from '../../contract/whats-changed.ts';
import { mayReadAgain } from '../../domain/fetching/on-demand.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import { refuseNul, requireOwnForm, requireTrustedOrigin } from '../../http/kernel/forms.ts';
import { redirect } from '../../http/kernel/reply.ts';
import { type RequestInfo, type RouteDeclaration, route } from '../../http/kernel/route.ts';
import { TRACK_PATH, type TrackOutcome } from '../components/track.ts';
import { textsIn } from './parse.ts';

const MAX_LENGTH = 200;
const BODY_LIMIT = 16 * 1024;

export function trackPost(api: readonly RouteDeclaration[]): RouteDeclaration {
  return route({
    method: 'POST',
    path: TRACK_PATH,
    summary: 'Have a repository read',
    tag: 'Pages',
    access: 'visitor',
    query: null,
    // The form of a reader who is not signed in carries no CSRF token.
    accepts: 'any',
    bodyLimit: BODY_LIMIT,
    answers: null,
    cache: 'never',
    run: async (ctx, _input, request) => {
      const { form } = request;
      if (form === null) throw new ApiError('bad_request', 'a form is expected');
      refuseNul([...form]);
      if (ctx.caller.kind === 'session') requireOwnForm(ctx, { ...request, form });
      else requireTrustedOrigin(ctx.config, request.headers);
      const wanted = wantedOf(form);
      const outcome = await trackOutcome(ctx, { api, request }, wanted.body);
      const stack = stackName.safeParse(form.get('stack'));
      if (stack.success) {
        const query = new URLSearchParams({ track: outcome, package: wanted.name.slice(0, MAX_LENGTH) });
        return redirect(`${ctx.config.webUrl}/account/stacks/${stack.data}?${query}`);
      }
      return redirect(`${ctx.config.webUrl}/whats-changed?${backQuery(form, wanted.name, outcome)}`);
    },
  });
}

interface Wanted {
  name: string;
  // What the call is given; null when nothing can be looked up by this name.
  body: Record<string, string> | null;
}

function wantedOf(form: URLSearchParams): Wanted {
  const named = { ecosystem: form.get('ecosystem') ?? '', package: form.get('package')?.trim() ?? '' };
  const isRepository = form.has('coordinate') || named.ecosystem === 'github' || isRepositoryName(named.package);
  if (!isRepository) return { name: named.package, body: named };
  const typed = form.get('coordinate')?.trim() ?? named.package;
  const coordinate = githubCoordinate(typed);
  return { name: coordinate ?? typed, body: coordinate === null ? null : { provider: 'github', coordinate } };
}

// No registry has names like `owner/name`, so that one is taken for a repository whatever the form says beside it.
function isRepositoryName(name: string): boolean {
  return !name.startsWith('@') && name.includes('/') && githubCoordinate(name) !== null;
}

interface Calling {
  api: readonly RouteDeclaration[];
  request: Pick<RequestInfo, 'call'>;
}

function trackOutcome(
  ctx: Pick<Context, 'clock'>,
  { api, request }: Calling,
  wanted: Record<string, string> | null,
): Promise<TrackOutcome> {
  return outcomeOf(async () => {
    if (wanted === null) return 'unclear';
    const lookups = api.find(({ method, path }) => method === 'POST' && path === '/lookups');
    if (!lookups) throw new Error('the API has no lookups');
    const { body } = await request.call(lookups, { body: wanted });
    return toOutcome(body as LookupAnswer, ctx.clock());
  });
}

function toOutcome({ status, source }: LookupAnswer, now: Date): TrackOutcome {
  if (status === 'indexed') return 'read';
  if (status === 'existing') return mayReadAgain(source?.lastFetchedAt ?? null, now) ? 'again' : 'known';
  if (status === 'deferred') return source ? 'later' : 'silent';
  return status === 'empty' ? 'empty' : 'missing';
}

const REFUSALS: Partial<Record<ApiError['code'], TrackOutcome>> = {
  limit_exceeded: 'full',
  rate_limited: 'wait',
  forbidden: 'closed',
  unauthorized: 'closed',
  insufficient_scope: 'closed',
  bad_request: 'unclear',
};

async function outcomeOf(look: () => Promise<TrackOutcome>): Promise<TrackOutcome> {
  try {
    return await look();
  } catch (error) {
    const outcome = error instanceof ApiError ? REFUSALS[error.code] : undefined;
    if (outcome === undefined) throw error;
    return outcome;
  }
}

function backQuery(form: URLSearchParams, name: string, outcome: TrackOutcome): URLSearchParams {
  const { package: asked = name, ecosystem, from, to } = textsIn(form, ['package', 'ecosystem', 'from', 'to']);
  const isNamed = UPGRADE_ECOSYSTEMS.some((known) => known === ecosystem);
  // The form that names a repository beside a package asks about the package.
  const question = form.has('coordinate')
    ? { package: asked, ecosystem: form.has('package') ? (isNamed ? ecosystem : '') : 'github' }
    : { package: name, ecosystem: isRepositoryName(name) ? 'github' : isNamed ? ecosystem : '' };
  const query = { ...question, from, to };
  const given = Object.entries(query).flatMap(([key, value]) => (value ? [[key, value.slice(0, MAX_LENGTH)]] : []));
  return new URLSearchParams([...given, ['track', outcome]]);
}
