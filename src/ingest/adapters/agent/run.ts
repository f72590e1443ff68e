// The conversation with the model: it asks for pages and hands over entries until it is done or a limit is reached.

import { normalizeUrl } from '../../../domain/urls.ts';
import type { ModelMessage, ModelToolCall } from '../../../insight/model/index.ts';
import type { Item, ModelPort } from '../contract.ts';
import { type CheckFacts, checkEntry } from './check-entry.ts';
import { SYSTEM, TOOLS } from './prompt.ts';
import type { PageReader } from './read-pages.ts';

export interface AgentLimits {
  fetches: number;
  inputTokens: number;
  // Aborts every call and fetch that still runs when the time is over.
  signal: AbortSignal;
}

export interface AgentRun {
  items: Item[];
  rejected: number;
  stopped: 'fetches' | 'tokens' | 'time' | null;
  // The error of the model or of its server.
  failure: unknown;
}

const SHOWN = 60_000;
const MAX_TURNS = 60;

export async function runAgent(
  model: ModelPort,
  { reader, facts, limits, first }: { reader: PageReader; facts: CheckFacts; limits: AgentLimits; first: string },
): Promise<AgentRun> {
  const run: AgentRun = { items: [], rejected: 0, stopped: null, failure: null };
  const found = new Map<string, Item>();
  const messages: ModelMessage[] = [{ role: 'user', content: first }];
  let inputTokens = 0;

  const answerTo = async ({ name, arguments: given }: ModelToolCall): Promise<object> => {
    if (name === 'fetch') return readForModel(reader, run, limits, given);
    if (name !== 'submit') return { error: `there is no tool ${name.slice(0, 40)}` };
    const entries = isRecord(given) && Array.isArray(given.entries) ? given.entries : null;
    if (entries === null) return { error: 'entries must be a list' };
    const results = entries.slice(0, 100).map((entry) => take(entry, facts, found, run));
    return { results };
  };

  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    if (limits.signal.aborted) run.stopped = 'time';
    else if (inputTokens >= limits.inputTokens) run.stopped = 'tokens';
    if (run.stopped === 'time' || run.stopped === 'tokens') break;
    try {
      const answer = await model.chat({ system: SYSTEM, messages, tools: TOOLS, signal: limits.signal });
      inputTokens += answer.inputTokens;
      if (answer.toolCalls.length === 0) break;
      messages.push({ role: 'assistant', content: answer.text, toolCalls: answer.toolCalls });
      for (const call of answer.toolCalls) {
        messages.push({ role: 'tool', toolCallId: call.id, content: JSON.stringify(await answerTo(call)) });
      }
    } catch (error) {
      if (limits.signal.aborted) run.stopped = 'time';
      else run.failure = error;
      break;
    }
  }
  run.items = [...found.values()];
  return run;
}

async function readForModel(reader: PageReader, run: AgentRun, limits: AgentLimits, given: unknown): Promise<object> {
  const url = isRecord(given) && typeof given.url === 'string' ? given.url : null;
  if (url === null) return { error: 'url must be a text' };
  const known = reader.find(url);
  if (known) return shown(known.markdown, known.url);
  if (reader.fetches >= limits.fetches) {
    run.stopped = 'fetches';
    return { error: 'no fetches are left; hand over what you have' };
  }
  const result = await reader.read(url, {}, limits.signal);
  return result.ok ? shown(result.page.markdown, result.page.url) : { error: result.failure.detail };
}

function shown(markdown: string, url: string): object {
  return { url, markdown: excerpt(markdown) };
}

export function excerpt(markdown: string): string {
  return markdown.length <= SHOWN ? markdown : `${markdown.slice(0, SHOWN)}\n[the page goes on]`;
}

function take(entry: unknown, facts: CheckFacts, found: Map<string, Item>, run: AgentRun): object {
  const check = checkEntry(entry, facts);
  if (!check.ok) {
    run.rejected += 1;
    return { accepted: false, reason: check.reason };
  }
  const key = `${check.item.url === null ? '' : normalizeUrl(check.item.url)}\n${check.item.title}`;
  found.set(key, check.item);
  return { accepted: true };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
