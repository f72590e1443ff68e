// The flags of every client command.
import type { Flag } from '../command.ts';

export const COMMON_FLAGS = {
  server: { type: 'string', value: 'url', help: 'server to talk to; else REGISTRY_API_URL, else the last login' },
  'no-auth': { type: 'boolean', help: 'send no credential' },
  json: { type: 'boolean', help: 'answer with one JSON document, or one object per line for streams and --all' },
  'no-color': { type: 'boolean', help: 'no colors, also on a terminal' },
  verbose: { type: 'boolean', help: 'show requests and answers on standard error, without secrets' },
} satisfies Record<string, Flag>;
