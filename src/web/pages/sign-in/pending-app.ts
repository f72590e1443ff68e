// The signed request of an app that waits for sign-in is part of the query. The sign-in forms carry it on in a hidden
// field, as they do with the page to return to.
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

// The query for links between the sign-in pages.
export function carriedQuery(visit: Visit): string {
  const { oauth_query: request, next } = carried(visit);
  const query = request ?? (next ? new URLSearchParams({ next }).toString() : '');
  return query ? `?${query}` : '';
}

export function configuredProviders({ social }: Pick<Config, 'social'>): Provider[] {
  return keysOf(PROVIDERS).filter((provider) => social[provider]);
}
