// Runs a tool: checks its arguments, limits its time and classifies its failures.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { ApiError } from '../contract/errors.ts';
import { withoutHiddenTexts } from '../domain/hidden-characters.ts';
import { argumentError } from './argument-errors.ts';
import type { Rendered } from './budget.ts';
import { correction, missingEntity } from './corrections.ts';
import { nearestNames } from './nearest-names.ts';
import type { RegistryApi } from './registry-api.ts';
import type { Arguments, Tool } from './tool.ts';

const CALL_MS = 30_000;

export interface ToolServices {
  api: RegistryApi;
  log: Logger;
  timeoutMs?: number;
}

type ToolOutcome =
  | ({ kind: 'result' } & Rendered)
  // The model can correct the call.
  | { kind: 'correction'; text: string }
  // Only the operator can fix it; the log contains the id.
  | { kind: 'fault'; errorId: string };

export async function runTool(services: ToolServices, tool: Tool, given: Arguments): Promise<ToolOutcome> {
  const { timeoutMs = CALL_MS } = services;
  const timeout = createTimeout(timeoutMs);
  try {
    const input = parseArguments(tool, given);
    const call = { api: services.api, maxTokens: Number(input.max_tokens), given };
    const rendered = await Promise.race([tool.run(call, input), timeout.over]);
    return { kind: 'result', text: rendered.text, structured: withoutHiddenTexts(rendered.structured) };
  } catch (error) {
    return failure(services, { tool, given }, error);
  } finally {
    timeout.clear();
  }
}

function parseArguments({ input }: Tool, given: Arguments): Arguments {
  const result = input.safeParse(given);
  if (result.success) return result.data;
  throw argumentError(result.error, input, given);
}

async function failure(
  services: ToolServices,
  { tool, given }: { tool: Tool; given: Arguments },
  error: unknown,
): Promise<ToolOutcome> {
  if (error instanceof ApiError && error.type !== 'internal') {
    const missing = missingEntity(error, given);
    const nearest = missing ? await nearestNames(services.api, missing.entity, missing.value).catch(() => []) : [];
    return { kind: 'correction', text: correction(error, nearest) };
  }
  const errorId = randomUUID();
  services.log.error({ err: error, errorId, tool: tool.name }, 'tool call failed');
  return { kind: 'fault', errorId };
}

function createTimeout(ms: number): { over: Promise<never>; clear(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  // Once the tool has answered, a rejection of the time limit must not be reported.
  promise.catch(() => {});
  const timer = setTimeout(() => {
    const reason = `the call took longer than ${ms / 1000} s and was ended; ask for less at once`;
    reject(new ApiError('service_unavailable', reason));
  }, ms);
  return { over: promise, clear: () => clearTimeout(timer) };
}
