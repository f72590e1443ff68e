// JSON documents from elsewhere. They are parsed where they are read, so that only what the reader makes of them comes back: a
// listing of ten megabytes may hold millions of values that nobody asked for.
import { onThread, SMALL } from './documents.ts';
import { loadModule } from './load-module.ts';
import { threadTask } from './task.ts';

// Makes something of a parsed document: a function that a module exports. What it gives back must be bounded.
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

// Undefined for a text that is no JSON. Rejects with `TaskTimeout` when a large one takes too long.
export async function readJsonDocument<Output, Options = void>(
  { module, name, run }: JsonReader<Output, Options>,
  body: Uint8Array,
  options: Options,
): Promise<Output | undefined> {
  if (body.length > SMALL)
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
