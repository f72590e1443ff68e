// A process that does not get to the end of its stop: it waits for ever, or its main thread is held up.
import { limitStop, partOfStop } from '../../src/cli/stop.ts';

const [how = ''] = process.argv.slice(2);
void partOfStop('requests', Promise.resolve());
void partOfStop('database', new Promise(() => setInterval(() => {}, 1000)));
await Promise.resolve();
limitStop({ withinMs: 20, killedAfterMs: 20 });
if (how === 'held up') for (;;);
