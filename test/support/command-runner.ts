// A process that runs the commands in its argument one after another, and prints how each ended.
import { runCommand } from '../../src/main.ts';

const lists = JSON.parse(process.argv[2] ?? '[]') as string[][];
for (const args of lists) {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const print = (stream: 'out' | 'err') => (line: string) => void lines[stream].push(`${line}\n`);
  const code = await runCommand({ args, env: process.env }, { out: print('out'), err: print('err') });
  console.log(JSON.stringify({ code, stdout: lines.out.join(''), stderr: lines.err.join('') }));
}
// Commands that wait for signals would keep the process alive.
process.exit(0);
