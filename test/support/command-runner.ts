// A process that runs the commands in its argument one after another, and prints how each ended.
import { runCommand } from '../../src/main.ts';

const calls = JSON.parse(process.argv[2] ?? '[]') as { args: string[]; env?: Record<string, string> }[];
for (const { args, env } of calls) {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const print = (stream: 'out' | 'err') => (line: string) => void lines[stream].push(`${line}\n`);
  const code = await runCommand({ args, env: { ...process.env, ...env } }, { out: print('out'), err: print('err') });
  console.log(JSON.stringify({ code, stdout: lines.out.join(''), stderr: lines.err.join('') }));
}
// Commands that wait for signals would keep the process alive.
process.exit(0);
