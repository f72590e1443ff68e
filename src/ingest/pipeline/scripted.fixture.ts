// An adapter with scripted results, which replaces every real one in tests.
import { SOURCE_TYPES } from '../../domain/source-types.ts';
import type { FetchTools } from '../adapters/adapter-context.ts';
import { type Adapter, type AdapterInput, type AdapterResult, adapterResult, type Item } from '../adapters/contract.ts';

type ScriptedResult = Partial<AdapterResult>;
type ScriptedAnswer = ScriptedResult | ((input: AdapterInput) => ScriptedResult | Promise<ScriptedResult>);

export interface Scripted extends FetchTools {
  adapters: NonNullable<FetchTools['adapters']>;
  seen: AdapterInput[];
  // What the next reads find, in turn; the last one holds for all that follow.
  say(...answers: ScriptedAnswer[]): void;
}

export function scripted(...answers: ScriptedAnswer[]): Scripted {
  const seen: AdapterInput[] = [];
  let waiting = answers;
  const adapter: Adapter = async ({ meter }, input) => {
    seen.push(input);
    const answer = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? {};
    const stated = typeof answer === 'function' ? await answer(input) : answer;
    const result = adapterResult({ meter }, { outcome: 'success', httpStatus: 200, ...stated });
    return { ...result, requests: stated.requests ?? 1, bytes: stated.bytes ?? 100 };
  };
  const adapters = Object.fromEntries(SOURCE_TYPES.map((name) => [name, adapter])) as Scripted['adapters'];
  return {
    adapters,
    model: null,
    seen,
    say: (...next) => {
      waiting = next;
    },
  };
}

// Whole texts: a feed of these is not one that only announces.
const REST = `\n\n${'It was asked for often. '.repeat(30)}`;

export function item(version: string, more: Partial<Item> = {}): Item {
  return {
    title: `Acme ${version}`,
    content: `- Thing number ${version}${REST}`,
    version,
    url: `https://acme.dev/releases/${version}`,
    guid: `guid-${version}`,
    publishedAt: '2026-02-20T00:00:00.000Z',
    datePrecision: 'day',
    dateFromUpdated: false,
    media: [],
    categories: [],
    links: [],
    origin: 'feed',
    confidence: 1,
    ...more,
  };
}

export function validator(etag: string) {
  return { endpoint: 'feed', etag, lastModified: null, contentHash: null, tokenFingerprint: null };
}
