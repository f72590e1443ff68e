// What questions about a package with a thousand published versions block, with and without stored comparisons of it.

import { warmUp } from '../../src/cli/warm-up.ts';
import { openWebServer } from '../../src/cli/web-server.ts';
import type { Context } from '../../src/context.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import { writeReleases } from '../../src/releases/write/write-batch.ts';
import {
  comparePairs,
  numbered,
  PAIRS,
  publishLargePackage,
  RANGES,
  VERSIONS,
} from '../../test/insight/large-package.ts';
import { type Figure, median } from '../figures.ts';
import { longestBlock } from './event-loop.ts';
import { type Block, blockFigures } from './figures.ts';
import type { Outside } from './outside.ts';

const ROUNDS = 25;
const MOST_TIMES = 2;
const JSON_TYPE = 'application/json';

interface Asked {
  name: string;
  kind: string;
  path: string;
  type?: string;
  body: string;
}

export async function benchUpgrades(ctx: Context, outside: Outside, engine: string): Promise<Figure[]> {
  await publishLargePackage(ctx, 'plain-package');
  await publishLargePackage(ctx, 'compared-package');
  await comparePairs(ctx, 'compared-package', PAIRS);
  await noted(ctx, 'noted-package');
  const server = await openWebServer(ctx);
  // Modules that are loaded later are no part of a question.
  await warmUp(0).done;
  let clients = 0;
  const send = async ({ path, type = JSON_TYPE, body }: Asked) => {
    clients += 1;
    const headers = {
      // Another client each time, because one may ask a few times a minute.
      'X-Forwarded-For': `198.51.${100 + (clients >> 8)}.${clients & 255}`,
      'Content-Type': type,
      Accept: 'application/json, text/event-stream',
    };
    return outside.send({ url: server.url + path, method: 'POST', headers, body: Buffer.from(body) });
  };
  try {
    const blocks = new Map<string, Block[]>();
    for (const asked of questions()) {
      // The first one compiles the code.
      for (let warm = 0; warm < 2; warm += 1) await send(asked);
      const { result: status, ...block } = await longestBlock(() => send(asked));
      const kind = `${asked.kind}, answered with ${status}`;
      blocks.set(asked.name, [...(blocks.get(asked.name) ?? []), { ...block, kind }]);
    }
    const times = await ratioOf(
      () => send(batchOf('compared-package')),
      () => send(batchOf('plain-package')),
    );
    return [
      ...[...blocks].map(([name, found]) => blockFigures(`${name}, ${engine}`, found)),
      {
        name: `a batch with ${PAIRS.length} stored pairs, ${engine}`,
        value: times.ratio,
        unit: 'times the same without',
        target: `at most ${MOST_TIMES}`,
        holds: times.ratio <= MOST_TIMES,
        detail: `${times.with.toFixed(0)} ms, ${times.without.toFixed(0)} ms without, medians of ${ROUNDS} in turn`,
      },
    ];
  } finally {
    await server.close({ drain: false });
  }
}

async function noted(ctx: Context, name: string): Promise<void> {
  await publishLargePackage(ctx, name);
  const { id } = await createSource(ctx, { name, url: `https://acme.example/${name}`, type: 'feed' });
  const rows = Array.from({ length: VERSIONS }, (_, index) => {
    const version = numbered(index + 1);
    const content = `### ${index % 7 === 0 ? 'Breaking' : 'Fixed'}\n- The option \`${version}\` of the second window is read before the first one`;
    return { version, content, url: `https://acme.example/${name}/${version}` };
  });
  for (let start = 0; start < rows.length; start += 500) {
    await writeReleases(ctx, { path: { src: id }, rows: rows.slice(start, start + 500), silent: true });
  }
  await putPackage(ctx, { ecosystem: 'npm', name, sourceId: id });
}

function batchOf(name: string): Asked {
  const items = RANGES.map(({ from, to }) => ({
    package: name,
    ecosystem: 'npm',
    from: numbered(from),
    to: numbered(to),
  }));
  return {
    name: 'a batch of 100 ranges',
    kind: name,
    path: '/v1/whats-changed/batch',
    body: JSON.stringify({ items }),
  };
}

function questions(): Asked[] {
  const names = ['plain-package', 'compared-package', 'noted-package'];
  const tool = (kind: string, called: string, args: object): Asked => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: called, arguments: args } };
    return { name: 'a question of an agent', kind, path: '/mcp', body: JSON.stringify(body) };
  };
  const asAgent = names.flatMap((name) => {
    const question = { package: name, ecosystem: 'npm', from: numbered(1), to: numbered(VERSIONS) };
    const items = RANGES.map(({ from }) => ({
      package: name,
      ecosystem: 'npm',
      from: numbered(from),
      to: numbered(VERSIONS),
    }));
    return [
      tool(`${name} over ${VERSIONS} versions`, 'whats_changed', question),
      tool(`${name} over ${VERSIONS} versions, all tokens`, 'whats_changed', { ...question, max_tokens: 20_000 }),
      tool(`100 ranges of ${name}`, 'check_upgrades', { items }),
    ];
  });
  return [...names.map(batchOf), ...asAgent, formOf(5_000)];
}

// Two lockfiles of so many packages, most of which nobody knows.
function formOf(packages: number): Asked {
  const lock = (version: string) =>
    JSON.stringify({
      lockfileVersion: 3,
      packages: Object.fromEntries([
        ['', {}],
        ...Array.from({ length: packages }, (_, at) => [
          at % 50 === 0 ? `node_modules/p${at}/node_modules/compared-package` : `node_modules/p${at}`,
          { version },
        ]),
      ]),
    });
  const fields = { mode: 'both', old_text: lock('1.1.0'), new_text: lock('1.1000.0') };
  return {
    name: 'a project of 5,000 packages',
    kind: 'two lockfiles',
    path: '/whats-changed',
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(fields).toString(),
  };
}

// As a client sees it, in turn: with processor time of one thread the work of a database server would not count.
async function ratioOf(one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const spent = async (work: () => Promise<unknown>) => {
    const before = performance.now();
    await work();
    return performance.now() - before;
  };
  const rounds: { with: number; without: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ with: await spent(one), without: await spent(other) });
  const found = {
    with: median(rounds.map((round) => round.with)),
    without: median(rounds.map((round) => round.without)),
  };
  return { ...found, ratio: found.with / found.without };
}
