// Parses untrusted JSON. A document is parsed and read on the same thread, so that only the result of its reader is
// transferred: a listing of ten megabytes may hold millions of values that nobody needs.
import { MAX_INLINE_CHARS, onThread } from './documents.ts';
import { loadModule } from './load-module.ts';
import { threadTask } from './task.ts';

// An exported function that extracts a result of bounded size from a parsed document.
export interface JsonReader<Output, Options = void> {
  module: string;
  name: string;
  run: (json: unknown, options: Options) => Output;
}

// Declared beside the function as a task is: `jsonReader(import.meta.url, parseListing)`.
export function jsonReader<Output, Options = void>(
  module: string,
  run: (json: unknown, options: Options) => Output,
  name: string = run.name,
): JsonReader<Output, Options> {
  return { module, name, run };
}

// The result of the reader; undefined for a text that is no JSON. Rejects with `TaskTimeout` when a large one takes too long.
export async function readJsonDocument<Output, Options = void>(
  { module, name, run }: JsonReader<Output, Options>,
  body: Uint8Array,
  options: Options,
): Promise<Output | undefined> {
  if (body.length > MAX_INLINE_CHARS)
    return onThread(JSON_READING, { module, name, body, options }) as Promise<Output | undefined>;
  const json = parsed(body);
  return json === undefined ? undefined : run(json, options);
}

interface JsonTask {
  module: string;
  name: string;
  body: Uint8Array;
  options: unknown;
}

export async function readOnThread({ module, name, body, options }: JsonTask): Promise<unknown> {
  const exported = (await loadModule(module)) as Record<string, (json: unknown, options: unknown) => unknown>;
  const json = parsed(body);
  return json === undefined ? undefined : exported[name]?.(json, options);
}

const JSON_READING = threadTask(import.meta.url, readOnThread);

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
