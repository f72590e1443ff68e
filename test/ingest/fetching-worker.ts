// A worker that fetches whatever is due and then ends; run as a process of its own.
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';

const { ctx, close } = await createApp(readConfig(process.env));
await createWorker(ctx, { tasks: createFetching() }).drain();
await close();
