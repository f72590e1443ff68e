// One thread of the pool: loads the module that a task names and answers one task at a time. A thread does not inherit the
// compile cache, so it enables it itself.
import { enableCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { loadModule } from './load-module.ts';
import type { TaskMessage, TaskQuestion } from './task.ts';

enableCompileCache();
const port = parentPort;
if (port === null) throw new Error('a task thread is started by its pool');

port.on('message', async ({ module, name, input }: TaskQuestion) => {
  port.postMessage(await answer(module, name, input));
});

async function answer(module: string, name: string, input: unknown): Promise<TaskMessage> {
  try {
    const exported = (await loadModule(module)) as Record<string, (input: unknown) => unknown>;
    const run = exported[name];
    if (run === undefined) throw new Error(`${module} exports no ${name}`);
    const { user, system } = process.threadCpuUsage();
    port?.postMessage({ kind: 'started', at: (user + system) / 1000 } satisfies TaskMessage);
    return { kind: 'done', output: await run(input) };
  } catch (error) {
    return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
  }
}
