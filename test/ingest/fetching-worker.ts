// A worker that fetches everything that is due and then ends; run as its own process.
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';

const { ctx, close } = await createApp(readConfig(process.env));
await createWorker(ctx, { tasks: createFetching() }).drain();
await close();
