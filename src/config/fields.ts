// How a setting is declared: its meaning and the type of its value. Each message says what a value must be, so that it can
// be corrected without the manual.
import { isIP } from 'node:net';
import { z } from 'zod';
import { parseHostList } from '../domain/net/host-list.ts';
import { isScope } from '../domain/published-package.ts';

// `absent` says what applies when a setting without a default is left out.
export function setting<T extends z.ZodType>(meaning: string, schema: T, absent?: string): T {
  return schema.meta({ description: meaning, absent }) as T;
}

export const flag = z.enum(['true', 'false'], 'must be true or false');

export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const error = `must be a whole number ${range}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, error)
    .transform(Number)
    .pipe(z.number().min(least, error).max(most, error));
}

export function decimalNumber(least: number, most: number) {
  const error = `must be a number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d+(\.\d+)?$/, error)
    .transform(Number)
    .pipe(z.number().min(least, error).max(most, error));
}

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

export const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) origin' })
  .transform((text) => new URL(text))
  .refine((url) => url.pathname === '/' && !url.search && !url.hash && !url.username, 'must be an origin without path')
  .transform((url) => url.origin);

// The base address of an external service; it may have a path, as GitHub Enterprise does.
export const upstream = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .transform((text) => text.replace(/\/+$/, ''));

// A secret of at least 32 bytes, as hex or base64.
export const secret = z.string().transform((text, issues) => {
  const bytes = Buffer.from(text, /^[0-9a-f]+$/i.test(text) ? 'hex' : 'base64');
  if (bytes.length < 32) issues.addIssue({ code: 'custom', message: 'must hold at least 32 bytes, as hex or base64' });
  return new Uint8Array(bytes);
});

// An invalid entry is an error: ignored, it would allow or deny less than the operator believes.
export const hosts = list.superRefine((entries, issues) => {
  for (const entry of parseHostList(entries).invalid) {
    issues.addIssue({ code: 'custom', message: `"${entry}" is no host, host:port, address or CIDR` });
  }
});

export const networks = list.superRefine((entries, issues) => {
  for (const entry of entries.filter((one) => !isNetwork(one))) {
    issues.addIssue({ code: 'custom', message: `"${entry}" is no address or CIDR` });
  }
});

export const origins = list.transform((entries, issues) =>
  entries.flatMap((entry) => {
    const parsed = origin.safeParse(entry);
    if (parsed.success) return [parsed.data];
    issues.addIssue({ code: 'custom', message: `"${entry}" is no origin such as https://app.example` });
    return [];
  }),
);

// Addresses of package registries by the scope whose packages they have.
export const scopedRegistries = list.transform((entries, issues): ReadonlyMap<string, string> => {
  const registries = new Map<string, string>();
  for (const entry of entries) {
    const [scope = '', ...rest] = entry.split('=');
    const url = upstream.safeParse(rest.join('='));
    if (url.success && isScope(scope) && !registries.has(scope)) registries.set(scope, url.data);
    else
      issues.addIssue({ code: 'custom', message: `"${entry}" is no @scope=https://registry.example, each scope once` });
  }
  return registries;
});

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}
