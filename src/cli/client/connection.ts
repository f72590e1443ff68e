// The server that a command talks to, and its credential.
import { type Environment, type FlagValues, textFlag, UsageError } from '../command.ts';
import { type ConfigFiles, openConfigFiles } from './config-files.ts';

export interface Connection {
  server: string;
  credential: string | undefined;
  credentialFrom: 'environment' | 'file' | 'none';
}

const DEFAULT_SERVER = 'http://localhost:8080';

interface ConnectionInput {
  env: Environment;
  flags: FlagValues;
  files?: ConfigFiles;
}

export function chooseServer({ env, flags, files = openConfigFiles(env) }: ConnectionInput): string {
  const server = textFlag(flags, 'server') ?? (env.REGISTRY_API_URL || files.lastServer() || DEFAULT_SERVER);
  const url = URL.canParse(server) ? new URL(server) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`the server must be an http or https address, not "${server}"`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('the address of the server must have no user, query or fragment');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

export function chooseConnection(input: ConnectionInput): Connection {
  const files = input.files ?? openConfigFiles(input.env);
  const server = chooseServer({ ...input, files });
  if (input.flags['no-auth']) return { server, credential: undefined, credentialFrom: 'none' };
  if (input.env.REGISTRY_API_KEY) {
    return { server, credential: usable(input.env.REGISTRY_API_KEY), credentialFrom: 'environment' };
  }
  const stored = files.keyOf(server);
  return { server, credential: stored?.key, credentialFrom: stored ? 'file' : 'none' };
}

function usable(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError('REGISTRY_API_KEY holds characters that no key has');
}
