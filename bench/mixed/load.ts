// The mixed load, sent from a process of its own and in open loop: every request goes out when it is due, whether or not those
// before it were answered, and its time counts from then, so that neither a slow service nor a late generator hides anything.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { KINDS, type Kind, type LoadOrder, type MixedLoad } from './mix.ts';

const PER_SECOND: Record<Kind, number> = { 'cached read': 160, 'uncached read': 40, search: 10, write: 5, batch: 1 };
// How many of each are sent alone, one after another; the first half only warms up.
const ALONE: Record<Kind, number> = { 'cached read': 200, 'uncached read': 200, search: 60, write: 40, batch: 10 };
const BATCH = 20;
// Each of them keeps connections of its own, so that all web processes accept some. Together they have as many as a proxy in
// front would use; a request that finds none waits, and its time counts.
const AGENTS = 16;
const CONNECTIONS_EACH = 4;
const ANSWER_MS = 60_000;
// What a second of the mix may take one client alone.
const BUSY_MS = 500;

const agents = Array.from({ length: AGENTS }, () => new Agent({ keepAlive: true, maxSockets: CONNECTIONS_EACH }));
const result: MixedLoad = {
  alone: noTimes(),
  times: noTimes(),
  sent: 0,
  answered: 0,
  acknowledged: [],
  failures: {},
  seconds: 0,
};

process.once('message', async (order: LoadOrder) => {
  await sendAlone(order);
  process.send?.('loading');
  await run(order);
  process.send?.(result, () => process.disconnect?.());
});

function noTimes(): Record<Kind, number[]> {
  return { 'cached read': [], 'uncached read': [], search: [], write: [], batch: [] };
}

let number = 0;

async function sendAlone(order: LoadOrder): Promise<void> {
  for (const kind of KINDS) {
    for (let index = 0; index < ALONE[kind]; index += 1) {
      const times = index * 2 < ALONE[kind] ? [] : result.alone[kind];
      await send(order, kind, { due: performance.now(), times });
    }
  }
}

// A slower machine gets less of all kinds: what is measured is a service that is busy and not one that is overrun.
function shareOfMix(): number {
  const alone = KINDS.reduce((sum, kind) => {
    const times = result.alone[kind].toSorted((a, b) => a - b);
    return sum + PER_SECOND[kind] * (times[times.length >> 1] ?? 0);
  }, 0);
  return Math.min(1, BUSY_MS / alone);
}

// Every kind is spread evenly over ten seconds, and none begins with another.
async function run(order: LoadOrder): Promise<void> {
  const share = shareOfMix();
  const turns = KINDS.flatMap((kind, place) => {
    const count = Math.max(1, Math.round(PER_SECOND[kind] * 10 * share));
    return Array.from({ length: count }, (_, index) => {
      return { kind, at: ((index + (place + 1) / (KINDS.length + 1)) * 10_000) / count };
    });
  }).sort((a, b) => a.at - b.at);
  const open = new Set<Promise<void>>();
  const started = performance.now();
  const [warm, end] = [started + order.seconds * 100, started + order.seconds * 1000];
  for (let turn = 0; ; turn += 1) {
    const { kind, at: offset } = at(turns, turn);
    const due = started + Math.floor(turn / turns.length) * 10_000 + offset;
    if (due >= end) break;
    const early = due - performance.now();
    if (early > 1) await sleep(early);
    result.sent += 1;
    const times = due < warm ? [] : result.times[kind];
    const one = send(order, kind, { due, times }).then((isAnswered) => {
      open.delete(one);
      if (isAnswered) result.answered += 1;
    });
    open.add(one);
  }
  await Promise.all(open);
  result.seconds = (performance.now() - started) / 1000;
}

async function send(order: LoadOrder, kind: Kind, { due, times }: { due: number; times: number[] }): Promise<boolean> {
  number += 1;
  const { path, versions, body } = requestOf(order, kind, number);
  const status = await exchange(order, path, body).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
  if (typeof status !== 'number' || status >= 300) {
    const key = `${kind}: ${status}`;
    result.failures[key] = (result.failures[key] ?? 0) + 1;
    return false;
  }
  times.push(performance.now() - due);
  result.acknowledged.push(...versions);
  return true;
}

interface MixedRequest {
  path: string;
  versions: string[];
  body?: object;
}

// A meaningless number makes an address that no answer is cached for.
function requestOf({ sources, paths, queries }: LoadOrder, kind: Kind, number: number): MixedRequest {
  const path = at(paths, number);
  if (kind === 'cached read') return { path, versions: [] };
  if (kind === 'uncached read') return { path: `${path}${path.includes('?') ? '&' : '?'}n=${number}`, versions: [] };
  if (kind === 'search') {
    return { path: `/v1/search?mode=lexical&q=${encodeURIComponent(at(queries, number))}`, versions: [] };
  }
  const rows = Array.from({ length: kind === 'batch' ? BATCH : 1 }, (_, index) => release(`${number}.${index}.0`));
  const versions = rows.map((row) => row.version);
  const releases = `/v1/sources/${at(sources, number)}/releases`;
  if (kind === 'batch') return { path: `${releases}/batch`, versions, body: { releases: rows } };
  return { path: releases, versions, body: rows[0] ?? {} };
}

function release(version: string) {
  const content = `### Added\n\n- Thing ${version}\n\n### Fixed\n\n${'- Some words of text about it.\n'.repeat(10)}`;
  return { version, title: `Release ${version}`, content, url: `https://mixed.example/${version}` };
}

function at<T>(list: readonly T[], number: number): T {
  return list[number % list.length] as T;
}

function exchange({ url, rootKey }: LoadOrder, path: string, body: object | undefined): Promise<number> {
  const text = body && JSON.stringify(body);
  const headers = text ? { Authorization: `Bearer ${rootKey}`, 'Content-Type': 'application/json' } : {};
  const agent = at(agents, Math.floor(Math.random() * AGENTS));
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method: text ? 'POST' : 'GET', headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', reject);
    });
    outgoing.setTimeout(ANSWER_MS, () => outgoing.destroy(new Error('no answer')));
    outgoing.once('error', reject);
    outgoing.end(text);
  });
}
