// A repository on a code host of the test's own, and a source that is fetched from it.
import { createHash } from 'node:crypto';
import { movableClock } from '../../../test/support/clock.ts';
import type { TestEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource } from '../../../test/support/factories.ts';
import { type OutsideWorld, type SeenRequest, startOutsideWorld } from '../../../test/support/outside-world.ts';
import { blobHash } from '../../domain/changelog/files.ts';
import { readChangelogSlice } from '../../releases/changelog-files/read-slice.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { refreshChangelogFiles } from './refresh.ts';

export const START = '2024-06-01T12:00:00.000Z';
export const ROOT = '/repos/acme/engine';

export class Repository {
  readonly world: OutsideWorld;
  readonly files = new Map<string, Buffer>();
  // What the tree says of files whose bytes are not all here.
  readonly #sizes = new Map<string, number>();
  truncated = false;

  constructor(world: OutsideWorld) {
    this.world = world;
    world.route(`${ROOT}/git/trees/HEAD`, (request) => this.treeAnswer(request));
  }

  empty(): void {
    this.files.clear();
    this.#sizes.clear();
    this.truncated = false;
  }

  // `size` is what the tree says, the length of the content unless given.
  put(path: string, content: string | Buffer, { size }: { size?: number } = {}): void {
    const bytes = Buffer.from(content);
    this.files.set(path, bytes);
    if (size !== undefined) this.#sizes.set(path, size);
    this.world.route(`/acme/engine/HEAD/${path}`, ({ headers }) => {
      const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(String(headers.range ?? '')) ?? [];
      if (from === undefined) return { body: bytes };
      const part = from === '' ? bytes.subarray(-Number(to)) : bytes.subarray(Number(from), Number(to) + 1);
      return { status: 206, body: part, headers: { 'content-range': `bytes x/${bytes.length}` } };
    });
  }

  async openSource(engine: TestEngine, metadata: Record<string, unknown> = {}) {
    const { world } = this;
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ clock });
    const org = await createOrg(ctx);
    const shape = await createSource(ctx, {
      orgId: org.id,
      name: 'Engine',
      type: 'github',
      url: 'https://github.com/acme/engine',
      metadata,
    });
    const refresh = async (more: Partial<SourceRow> = {}) => {
      world.requests.length = 0;
      const source = await ctx.store.read
        .selectFrom('sources')
        .selectAll()
        .where('id', '=', shape.id)
        .executeTakeFirstOrThrow();
      return refreshChangelogFiles(ctx, world.context({ now: clock() }), { ...source, ...more });
    };
    const slice = (path?: string) => readChangelogSlice(ctx, { src: shape.id }, path === undefined ? {} : { path });
    return { ctx, clock, refresh, slice, sourceId: shape.id };
  }

  treeAnswer({ headers }: SeenRequest) {
    const tree = [...this.files].map(([path, bytes]) => {
      return { path, mode: '100644', type: 'blob', sha: blobHash(bytes), size: this.#sizes.get(path) ?? bytes.length };
    });
    const link = { path: 'LINK/CHANGELOG.md', mode: '120000', type: 'blob', sha: 'f'.repeat(40), size: 9 };
    const body = JSON.stringify({
      sha: 'x',
      tree: [...tree, link, { path: 'src', type: 'tree', sha: 'y' }],
      truncated: this.truncated,
    });
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    return headers['if-none-match'] === etag ? { status: 304, headers: { etag } } : { headers: { etag }, body };
  }
}

export async function startRepository(): Promise<Repository> {
  return new Repository(await startOutsideWorld());
}
