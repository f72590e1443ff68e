// One thread of the pool: loads the module that a task names and answers one task at a time. A thread does not inherit the
// compile cache, so it enables it itself.
import { enableCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from './calls.ts';
import { loadModule } from './load-module.ts';
import type { TaskQuestion, TaskStarted } from './task.ts';

enableCompileCache();
const port = parentPort;
if (port === null) throw new Error('a task thread is started by its pool');

port.on('message', async ({ id, ...question }: TaskQuestion & { id: number }) => {
  port.postMessage({ id, ...(await answer(question)) } satisfies ThreadAnswer);
});

async function answer({ module, name, input }: TaskQuestion): Promise<Omit<ThreadAnswer, 'id'>> {
  try {
    const exported = (await loadModule(module)) as Record<string, (input: unknown) => unknown>;
    const run = exported[name];
    if (run === undefined) throw new Error(`${module} exports no ${name}`);
    const { user, system } = process.threadCpuUsage();
    port?.postMessage({ notice: { startedAt: (user + system) / 1000 } satisfies TaskStarted });
    return { answer: await run(input) };
  } catch (error) {
    return { error: error instanceof Error ? error : String(error) };
  }
}
