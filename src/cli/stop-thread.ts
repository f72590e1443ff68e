// Kills the process when its stop takes too long and its main thread does not answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { logLeft, type StopWatch } from './stop.ts';

const { memory, withinMs } = workerData as StopWatch;
await sleep(withinMs);
logLeft(memory, 'stopping took too long, and the process is killed');
process.kill(process.pid, 'SIGKILL');
