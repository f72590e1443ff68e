// The terminal waits for what the server reads.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { publishSteps } from '../ingest/evidence-world.ts';
import { startRegistry } from '../ingest/npm-registry.ts';
import { createCli } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

forEachEngine('registry whats-changed of an unknown package', (engine) => {
  it('waits with a line that says for what, and does not with --no-wait', async (t) => {
    const registry = await startRegistry(t);
    publishSteps(registry, 'forms', { '1.0.0': ['open', 'close'], '2.0.0': ['open'] });
    const app = await engine.openTestApp({ env: { ...registry.env, REGISTRY_ASK: 'on' } });
    const { url } = await startService(app);
    const cli = await createCli(url);
    const question = ['whats-changed', 'forms', '1.0.0', 'latest', '--ecosystem', 'npm'];

    const hurried = await cli.run([...question, '--no-wait', '--json']);
    assert.equal(JSON.parse(hurried.stdout).reading.state, 'waiting');
    assert.equal(hurried.stderr, '');

    let work: Promise<unknown> | null = null;
    const patient = await cli.run([...question, '--json'], {
      onError: () => {
        work ??= createWorker(app.ctx, { tasks: createFetching() }).drain();
      },
    });
    await work;
    assert.match(patient.stderr, /^registry: waiting/);
    const answer = JSON.parse(patient.stdout);
    assert.deepEqual([answer.reading, answer.judgement, answer.evidence.status], [undefined, 'breaks', 'compared']);
  });
});
