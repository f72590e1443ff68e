// A worker that never finishes its fetch; run as its own process, which is killed from outside or by itself.
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { coverReleases } from '../../src/ingest/coverage/cover-releases.ts';
import { scripted } from '../../src/ingest/pipeline/scripted.fixture.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { listing } from './listing.ts';

const [when = '', count = '0'] = process.argv.slice(2);

let stored = 0;
const { ctx } = await createApp(readConfig(process.env), {
  ports: {
    coverage: {
      cover(ctx, sourceInOrg, rows) {
        stored += rows.length;
        // In the middle of the transaction that stores the releases.
        if (when === 'storing' && stored > Number(count) * 0.9) process.kill(process.pid, 'SIGKILL');
        return coverReleases(ctx, sourceInOrg, rows);
      },
    },
  },
});
const tools = scripted(async () => {
  process.stdout.write('reading\n');
  // Blocks the process until it is killed.
  if (when === 'reading') await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1));
  return listing(Number(count));
});
await createWorker(ctx, { tasks: createFetching({ tools }) }).drain();
