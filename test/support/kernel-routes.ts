// Route declarations that together use every option of a declaration.
import { z } from 'zod';
import { type Context, queries, transact } from '../../src/context.ts';
import { ApiError, notFound } from '../../src/contract/errors.ts';
import { flag, limitLike, oneOf, requiredText, text } from '../../src/contract/query.ts';
import { created, noContent, Reply } from '../../src/http/kernel/reply.ts';
import { bothPaths, type RouteDeclaration, route } from '../../src/http/kernel/route.ts';
import { TaskTimeout } from '../../src/threads/task.ts';

export interface Gate {
  // How often the read routes ran.
  runs: number;
  // Resolves when a call of /slow has started.
  entered: Promise<void>;
  open(): void;
}

const note = z.object({ key: z.string(), value: z.string() }).meta({ id: 'FixtureNote' });
const notes = z.object({ notes: z.array(note), runs: z.int() }).meta({ id: 'FixtureNotes' });
const anything = z.looseObject({});

const noteInput = z
  .object({
    name: z.string().min(1).max(20),
    content: z.string().optional(),
    description: z.string().max(50).optional(),
    tags: z.array(z.string()).optional(),
    rows: z.array(z.object({ title: z.string().optional() })).optional(),
    metadata: z.unknown().optional(),
  })
  .meta({ id: 'FixtureInput' });

export async function writeNote(ctx: Context, key: string, value: string): Promise<void> {
  const row = { key, value, updated_at: ctx.clock().toISOString() };
  await transact(ctx, ({ tx }) =>
    tx
      .insertInto('settings')
      .values(row)
      .onConflict((on) => on.column('key').doUpdateSet({ value }))
      .execute(),
  );
}

export function fixtureRoutes(): { routes: RouteDeclaration[]; gate: Gate } {
  let enter: () => void = () => {};
  let open: () => void = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const gate: Gate = { runs: 0, entered, open: () => open() };

  const readNotes = async (ctx: Context) => {
    gate.runs += 1;
    return {
      notes: await queries(ctx).selectFrom('settings').select(['key', 'value']).orderBy('key').execute(),
      runs: gate.runs,
    };
  };
  const base = { summary: 'For tests', tag: 'Fixture', access: 'public' as const };
  const echo = async (_ctx: Context, input: unknown) => input;

  const routes = [
    route({
      ...base,
      method: 'GET',
      path: '/notes',
      query: {
        limit: limitLike({ default: 20, max: 100 }),
        kind: oneOf(['a', 'b']).describe('Only entries of this kind.'),
        hidden: flag(),
        cursor: text(),
      },
      answers: { 200: notes },
      cache: [60, 30],
      vary: ['Cookie'],
      markdown: (answer: z.infer<typeof notes>) =>
        `# Notes\n\n${answer.notes.map((each) => `- ${each.value}`).join('\n')}\n`,
      run: readNotes,
    }),
    route({
      ...base,
      method: 'GET',
      path: '/fresh',
      answers: { 200: notes },
      cache: [60, 30],
      cacheBytes: false,
      run: readNotes,
    }),
    route({ ...base, method: 'GET', path: '/uncached', answers: { 200: notes }, run: readNotes }),
    route({
      ...base,
      method: 'GET',
      path: '/latest',
      query: { count: limitLike({ default: 10, max: 100 }), org: text() },
      answers: { 200: notes },
      cache: [60, 30],
      storedAnswer: { isDefault: ({ count, org }) => count === 10 && org === undefined, seconds: 300 },
      run: readNotes,
    }),
    route({
      ...base,
      method: 'GET',
      path: '/degraded',
      answers: { 200: notes },
      cache: [60, 30],
      run: async (ctx) => {
        ctx.answer.degraded = true;
        return readNotes(ctx);
      },
    }),
    route({
      ...base,
      method: 'GET',
      path: '/hidden',
      answers: { 200: notes },
      cache: [60, 30],
      run: async (ctx) => {
        ctx.answer.containsHidden = true;
        return readNotes(ctx);
      },
    }),
    route({
      ...base,
      method: 'GET',
      path: '/notice',
      answers: { 200: anything },
      cache: [60, 300],
      run: async () => new Reply(200, { notice: null }, { 'Cache-Control': 'no-store' }),
    }),
    route({
      ...base,
      method: 'GET',
      path: '/large',
      answers: { 200: anything },
      cache: [60, 30],
      run: async () => ({ text: 'large '.repeat(1000) }),
    }),
    route({
      ...base,
      method: 'GET',
      path: '/find',
      query: { q: requiredText() },
      answers: { 200: anything },
      run: echo,
    }),
    route({ ...base, method: 'GET', path: '/nothing', answers: { 200: z.null() }, run: async () => null }),
    route({
      ...base,
      method: 'GET',
      path: '/moved',
      answers: { 301: null },
      run: async () => new Reply(301, null, { Location: '/v1/notes' }),
    }),
    route({ ...base, method: 'GET', path: '/releases/{rel}', answers: { 200: anything }, cache: [60, 30], run: echo }),
    route({
      ...base,
      method: 'GET',
      path: '/releases/special',
      answers: { 200: anything },
      run: async () => ({ special: true }),
    }),
    route({ ...base, method: 'GET', path: '/files/{file}', answers: { 200: anything }, run: echo }),
    ...bothPaths('sources', '/echo', { ...base, method: 'GET', answers: { 200: anything }, run: echo }),
    ...bothPaths('products', '/echo', { ...base, method: 'GET', answers: { 200: anything }, run: echo }),
    route({
      ...base,
      method: 'GET',
      path: '/mine',
      access: 'credential',
      answers: { 200: anything },
      run: async (ctx) => ({ caller: ctx.caller }),
    }),
    route({
      ...base,
      method: 'GET',
      path: '/admin',
      access: 'admin',
      answers: { 200: anything },
      run: async () => ({ ok: true }),
    }),
    route({
      ...base,
      method: 'GET',
      path: '/boom',
      answers: { 200: anything },
      run: async () => Promise.reject(new Error('hidden cause')),
    }),
    route({
      ...base,
      method: 'GET',
      path: '/busy',
      answers: { 200: anything },
      run: async () => Promise.reject(Object.assign(new Error('locked'), { errcode: 5 })),
    }),
    route({
      ...base,
      method: 'GET',
      path: '/slow-text',
      answers: { 200: anything },
      run: async () => Promise.reject(new TaskTimeout(10_000)),
    }),
    route({
      ...base,
      method: 'GET',
      path: '/wrong',
      answers: { 200: z.object({ right: z.literal(true) }) },
      run: async () => ({ right: false }),
    }),
    route({
      ...base,
      method: 'GET',
      path: '/upstream',
      answers: { 200: anything },
      errors: ['upstream_error'],
      run: async () => {
        throw new ApiError('upstream_error', 'a host did not answer', { host: 'feeds.example', status: 502 });
      },
    }),
    route({
      ...base,
      method: 'GET',
      path: '/slow',
      answers: { 200: anything },
      run: async () => {
        enter();
        await opened;
        return { done: true };
      },
    }),
    route({
      ...base,
      method: 'POST',
      path: '/notes',
      access: 'write',
      body: noteInput,
      answers: { 201: anything },
      run: async (ctx, { body }) => {
        await writeNote(ctx, body.name, JSON.stringify(body));
        return created(body, `/v1/notes/${body.name}`);
      },
    }),
    route({
      ...base,
      method: 'PATCH',
      path: '/notes/{id}',
      access: 'write',
      body: z.strictObject({ name: z.string().nullable().optional(), size: z.int().max(9).optional() }),
      answers: { 200: anything },
      run: echo,
    }),
    route({
      ...base,
      method: 'PUT',
      path: '/notes/{id}',
      access: 'admin',
      body: z.strictObject({ name: z.string() }),
      answers: { 200: anything },
      run: echo,
    }),
    route({
      ...base,
      method: 'DELETE',
      path: '/notes/{id}',
      access: 'write',
      answers: { 204: null },
      errors: ['not_found'],
      run: async (_ctx, { params }) => {
        if (params.id === 'unknown') throw notFound('note', 'unknown');
        return noContent();
      },
    }),
    route({
      ...base,
      method: 'POST',
      path: '/echo',
      body: z.looseObject({}),
      bodyLimit: 100_000,
      answers: { 200: anything },
      run: echo,
    }),
    route({ ...base, method: 'POST', path: '/touch', answers: { 200: anything }, run: echo }),
    route({
      ...base,
      method: 'POST',
      path: '/lookups',
      limiters: ['lookups'],
      answers: { 200: anything },
      run: async () => ({}),
    }),
    route({
      ...base,
      method: 'POST',
      path: '/feedback',
      limiters: ['feedback'],
      answers: { 202: anything },
      run: async () => new Reply(202, { ok: true }),
    }),
    route({
      ...base,
      method: 'POST',
      path: '/recommendations',
      limiters: ['feedback'],
      answers: { 202: anything },
      run: async () => new Reply(202, { ok: true }),
    }),
    route({
      ...base,
      method: 'GET',
      path: '/evaluate',
      access: 'admin',
      limiters: ['outbound'],
      answers: { 200: anything },
      run: async () => ({}),
    }),
  ];
  return { routes, gate };
}
