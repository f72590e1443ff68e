import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pino } from 'pino';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { startOutsideWorld } from '../../../test/support/outside-world.ts';
import { transact } from '../../context.ts';
import { blobHash } from '../../domain/changelog/files.ts';
import { runJob } from '../jobs/jobs.ts';
import { claim } from '../queue/claim.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { ClaimedJob } from '../queue/job.ts';
import { scripted } from './scripted.fixture.ts';

forEachEngine('changelog jobs', (engine) => {
  it('say what was read, and how much of it stands in no release', async (t) => {
    const world = await startOutsideWorld();
    t.after(() => world.close());
    const file = Buffer.from('# Changelog\n\n## Unreleased\n\n- Soon\n\n## 1.0.0\n\n- First\n');
    const blob = { path: 'CHANGELOG.md', mode: '100644', type: 'blob', sha: blobHash(file), size: file.length };
    world.route('/repos/acme/engine/git/trees/HEAD', () => ({ body: JSON.stringify({ sha: 'x', tree: [blob] }) }));
    world.route('/acme/engine/HEAD/CHANGELOG.md', () => ({ body: file }));
    const lines: string[] = [];
    const { ctx } = await engine.openTestApp({
      clock: movableClock('2026-03-01T12:00:00.000Z'),
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
      env: {
        REGISTRY_HOST_DELAY_MS: '0',
        REGISTRY_GITHUB_API_URL: world.url,
        REGISTRY_GITHUB_RAW_URL: world.url,
        REGISTRY_EGRESS_ALLOW: '127.0.0.0/8',
      },
    });
    const { id } = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/engine' });
    await transact(ctx, (inner) =>
      enqueue(inner, { key: `changelog:${id}`, kind: 'changelog', sourceId: id, host: 'x', payload: {} }),
    );

    const { signal } = new AbortController();
    await runJob(ctx, (await claim(ctx)) as ClaimedJob, { signal, tools: scripted() });

    const [line] = lines.map((text) => JSON.parse(text)).filter(({ msg }) => msg === 'changelog files read');
    assert.deepEqual([line?.source, line?.stored, line?.outsideCharacters], [id, ['CHANGELOG.md'], 6]);
  });
});
