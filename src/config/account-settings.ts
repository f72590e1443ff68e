// Settings of secrets and accounts, and what callers may do in a minute.
import { z } from 'zod';
import { list, secret, setting, wholeNumber } from './fields.ts';

const quota = wholeNumber(0);

export const accounts = {
  REGISTRY_ROOT_KEY: setting(
    "the operator's key, at least 32 characters",
    z.string().min(32, 'must have at least 32 characters').optional(),
    'on SQLite generated into `root.key` (mode 0600); on PostgreSQL none, and write routes stay closed',
  ),
  REGISTRY_SECRET: setting(
    'key behind everything encrypted or signed, at least 32 bytes as hex or base64',
    secret.optional(),
    'on SQLite generated into `service.secret` (mode 0600); on PostgreSQL none, and accounts and webhooks answer 503',
  ),
  REGISTRY_SECRET_PREVIOUS: setting(
    'earlier secrets, until `registry migrate --reencrypt` has run',
    list.pipe(z.array(secret)).default([]),
  ),
  REGISTRY_SIGNUP: setting('`open` or `closed` for new accounts', z.enum(['open', 'closed']).default('open')),
  REGISTRY_COOKIE_DOMAIN: setting('domain of the session cookie', z.string().min(1).optional(), 'the host alone'),
  REGISTRY_DEVICE_CLIENTS: setting('further client ids that may start a device login', list.default([])),
  REGISTRY_SMTP_URL: setting(
    '`smtp://` or `smtps://` server for verification and reset links',
    z.url({ protocol: /^smtps?$/ }).optional(),
    'no mail',
  ),
  REGISTRY_MAIL_FROM: setting(
    'sender of mails',
    z.string().min(3).optional(),
    '`registry@` and the host of the base URL',
  ),
  REGISTRY_GITHUB_ID: setting(
    'client id for sign-in with GitHub; needs its secret',
    z.string().min(1).optional(),
    'off',
  ),
  REGISTRY_GITHUB_SECRET: setting('client secret for sign-in with GitHub', z.string().min(1).optional(), 'off'),
  REGISTRY_GOOGLE_ID: setting(
    'client id for sign-in with Google; needs its secret',
    z.string().min(1).optional(),
    'off',
  ),
  REGISTRY_GOOGLE_SECRET: setting('client secret for sign-in with Google', z.string().min(1).optional(), 'off'),
};

export const limits = {
  REGISTRY_RATE_PUBLIC: setting('reads per minute of an address, 0 for no limit', quota.default(120)),
  REGISTRY_RATE_ACCOUNT: setting('reads per minute of an account, 0 for no limit', quota.default(300)),
  REGISTRY_RATE_TOKEN: setting('reads per minute of a machine token, 0 for no limit', quota.default(600)),
  REGISTRY_WEBHOOK_RATE: setting('deliveries per minute to one subscription, 0 for no limit', quota.default(600)),
  REGISTRY_LOOKUPS: setting(
    'who may look up repositories on demand: `public`, `write` or `off`',
    z.enum(['public', 'write', 'off']).default('public'),
  ),
  REGISTRY_LOOKUP_DAILY: setting('new sources per day that lookups may make', quota.default(200)),
};
