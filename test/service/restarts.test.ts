// Parts of the service that die under load: they are restarted, and no acknowledged write is lost.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { startLoad } from '../support/load.ts';
import { assertNothingLost, killPart, loadEnvironment, runService } from '../support/running-service.ts';

const KILLS = 1;
// The pause between two requests of one client: most of the machine is left to the restarting processes. A kill waits for a
// write that is in flight, so a few requests are enough.
const PAUSE_MS = 400;

forEachEngine('SIGKILL under load', (engine) => {
  const cases: [part: string, args: string[]][] = [
    ['web', ['web', '--processes', '2']],
    ['worker', ['serve']],
  ];
  for (const [part, args] of cases) {
    it(`of a ${part} process loses nothing, and another one takes its place`, async () => {
      const database = await engine.openTestDatabase();
      const env = { ...loadEnvironment(database), REGISTRY_LOG_LEVEL: 'info' };
      const service = await runService(args, env);
      const load = startLoad(service, { pauseMs: PAUSE_MS });
      for (let kill = 0; kill < KILLS; kill += 1) {
        await load.succeeded(5);
        await load.writing();
        await killPart(service, new RegExp(`^${part}`));
      }
      await load.succeeded(5);
      const { acknowledged, statuses } = await load.stop();
      service.registry.child.kill('SIGTERM');
      const { code } = await service.registry.ended;

      assert.equal(code, 0);
      const unforeseen = Object.keys(statuses).filter((key) => !/^read 200$|^write 20[01]$| 503$/.test(key));
      assert.deepEqual(unforeseen, [], JSON.stringify(statuses));
      const app = await engine.openTestApp({ database });
      await assertNothingLost(app.ctx, acknowledged);
    });
  }
});
