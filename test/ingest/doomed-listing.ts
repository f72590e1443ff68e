// A worker that is killed while it stores the listing of a package: by itself, in the middle of the transaction, when
// versions and state are written and nothing is committed.
import { randomBytes } from 'node:crypto';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';

const { ctx } = await createApp(readConfig(process.env), {
  randomBytes: (size) => {
    // One byte is drawn for the time of the next reading, which is written last.
    if (size === 1) process.kill(process.pid, 'SIGKILL');
    return randomBytes(size);
  },
});
await createWorker(ctx, { tasks: createFetching() }).drain();
