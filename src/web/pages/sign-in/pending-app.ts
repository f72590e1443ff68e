// An app that waits for the sign-in has its request, signed, in the address of the page; forms carry it on, and so they do
// with the page that was wanted.
import type { Config } from '../../../config.ts';
import { keysOf } from '../../../domain/records.ts';
import type { Visit } from '../../visit.ts';

export const PROVIDERS = { github: 'GitHub', google: 'Google' } as const;
export const PROVIDER_ORIGINS = { github: 'https://github.com', google: 'https://accounts.google.com' } as const;
export type Provider = keyof typeof PROVIDERS;

export function pendingRequest({ sent, form, request }: Visit): string {
  return form.get('oauth_query') ?? (sent.has('sig') ? request.target.query : '');
}

export function carried(visit: Visit): Record<string, string> {
  const request = pendingRequest(visit);
  const next = visit.form.get('next') ?? visit.sent.get('next');
  return { ...(request ? { oauth_query: request } : {}), ...(next ? { next } : {}) };
}

// What goes behind the address of the other page of sign-in.
export function carriedQuery(visit: Visit): string {
  const { oauth_query: request, next } = carried(visit);
  const query = request ?? (next ? new URLSearchParams({ next }).toString() : '');
  return query ? `?${query}` : '';
}

export function configuredProviders({ social }: Pick<Config, 'social'>): Provider[] {
  return keysOf(PROVIDERS).filter((provider) => social[provider]);
}
