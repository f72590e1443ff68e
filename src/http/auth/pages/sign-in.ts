// Signing in, up and out.
import { nextPath } from '../../../accounts/auth/next-path.ts';
import { returnTargets } from '../../../accounts/auth/pending-request.ts';
import { keysOf } from '../../../domain/records.ts';
import { escapeHtml } from '../../kernel/page.ts';
import type { Reply } from '../../kernel/reply.ts';
import {
  type AuthPage,
  type AuthReply,
  ask,
  buttonHtml,
  faultHtml,
  fieldHtml,
  formHtml,
  NEW_PASSWORD,
  type PageCall,
  page,
  seeOther,
  TOO_MANY,
} from './page.ts';

const PROVIDERS = { github: 'GitHub', google: 'Google' } as const;
const PROVIDER_ORIGINS = { github: 'https://github.com', google: 'https://accounts.google.com' } as const;
type SocialProvider = keyof typeof PROVIDERS;

export const signInPages: readonly AuthPage[] = [
  { method: 'GET', path: '/login', title: 'Sign in', show: (call) => signInPage(call) },
  { method: 'POST', path: '/login', title: 'Sign in', show: signIn },
  { method: 'POST', path: '/login/github', title: 'Sign in with GitHub', show: (call) => signInWith(call, 'github') },
  { method: 'POST', path: '/login/google', title: 'Sign in with Google', show: (call) => signInWith(call, 'google') },
  { method: 'GET', path: '/signup', title: 'Create an account', show: (call) => signUpPage(call) },
  { method: 'POST', path: '/signup', title: 'Create an account', show: signUp },
  { method: 'POST', path: '/logout', title: 'Sign out', show: signOut },
];

// An app that waits for the sign-in has its request, signed, in the address of this page; forms carry it on.
function pendingRequest({ query, form, request }: PageCall): string {
  return form.get('oauth_query') ?? (query.has('sig') ? request.target.query : '');
}

function carried(call: PageCall): Record<string, string> {
  const request = pendingRequest(call);
  const next = call.form.get('next') ?? call.query.get('next');
  return { ...(request ? { oauth_query: request } : {}), ...(next ? { next } : {}) };
}

function configured({ ctx }: PageCall): SocialProvider[] {
  return keysOf(PROVIDERS).filter((provider) => ctx.config.social[provider]);
}

interface FormRefusal {
  status: number;
  fault: string;
  // Null: no field of this form was at fault.
  field?: string | null;
}

async function signInPage(call: PageCall, refusal?: FormRefusal): Promise<Reply> {
  const values = carried(call);
  const providers = configured(call);
  const fault = refusal?.fault ?? (call.query.has('error') ? 'That did not work. Please try another way.' : undefined);
  // Both fields are marked or none, so that nobody learns which of them was wrong.
  const faulty = refusal?.status === 422 && refusal.field !== null;
  const fields = [
    fieldHtml({
      name: 'email',
      label: 'E-mail',
      type: 'email',
      value: call.form.get('email') ?? '',
      autocomplete: 'username',
      faulty,
    }),
    fieldHtml({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', faulty }),
    buttonHtml({ label: 'Sign in', main: true }),
  ];
  const body = [
    faultHtml(fault),
    call.query.get('changed') === 'password' ? '<p role="status">Your password was changed. Sign in with it.</p>' : '',
    formHtml(call, { action: '/login', values, fields: fields.join('\n') }),
    ...providers.map((provider) =>
      formHtml(call, {
        action: `/login/${provider}`,
        values,
        fields: buttonHtml({ label: `Continue with ${PROVIDERS[provider]}` }),
      }),
    ),
    `<p class="after"><a href="/signup${suffix(call)}">Create an account</a> · <a href="/forgot-password">Forgot your password?</a></p>`,
  ];
  return page(call, {
    name: 'login',
    title: 'Sign in',
    body: body.join('\n'),
    status: refusal?.status,
    // Browsers follow a form's redirects only to places that the page named.
    formTargets: [
      ...(await returnTargets(call.ctx, pendingRequest(call))),
      ...providers.map((provider) => PROVIDER_ORIGINS[provider]),
    ],
  });
}

function suffix(call: PageCall): string {
  const request = pendingRequest(call);
  const next = call.query.get('next');
  const query = request || (next ? new URLSearchParams({ next }).toString() : '');
  return query ? `?${escapeHtml(query)}` : '';
}

async function signIn(call: PageCall): Promise<Reply> {
  const reply = await ask(call, '/sign-in/email', credentialsIn(call));
  if (reply.status < 400) return onward(call, reply);
  const field = reply.code === 'EMAIL_NOT_VERIFIED' ? null : undefined;
  return signInPage(call, { status: reply.status === 429 ? 429 : 422, fault: signInFault(reply), field });
}

// A wrong password never says which part was wrong.
function signInFault({ status, code, message }: AuthReply): string {
  if (status === 429) return TOO_MANY;
  if (code === 'EMAIL_NOT_VERIFIED') return 'Please confirm your address first; we have sent you the link again.';
  return status === 503 ? message : 'E-mail address and password do not match.';
}

function credentialsIn({ form }: PageCall): Record<string, unknown> {
  const request = form.get('oauth_query');
  return {
    email: form.get('email') ?? '',
    password: form.get('password') ?? '',
    ...(request ? { oauth_query: request } : {}),
  };
}

// On to the app that waits, else to the page that was wanted.
function onward({ ctx, form }: PageCall, reply: AuthReply): Reply {
  const { fields } = reply;
  const location = fields.redirect === true && typeof fields.url === 'string' ? fields.url : null;
  return seeOther(location ?? `${ctx.config.webUrl}${nextPath(form.get('next'))}`, reply);
}

async function signInWith(call: PageCall, provider: SocialProvider): Promise<Reply> {
  const request = call.form.get('oauth_query');
  const reply = await ask(call, '/sign-in/social', {
    provider,
    callbackURL: nextPath(call.form.get('next')),
    errorCallbackURL: '/login',
    ...(request ? { oauth_query: request } : {}),
  });
  if (reply.status < 400 && typeof reply.fields.url === 'string') return seeOther(reply.fields.url, reply);
  const status = reply.status === 429 ? 429 : 422;
  return signInPage(call, { status, fault: 'That did not work. Please try another way.', field: null });
}

async function signUpPage(call: PageCall, refusal?: FormRefusal): Promise<Reply> {
  const named = { name: 'signup', title: 'Create an account' };
  if (call.ctx.config.signup === 'closed') {
    return page(call, { ...named, status: 403, body: '<p>This registry takes no new accounts.</p>' });
  }
  const { form } = call;
  const faulty = (name: string) => refusal?.field === name;
  const fields = [
    fieldHtml({
      name: 'name',
      label: 'Name',
      value: form.get('name') ?? '',
      autocomplete: 'name',
      faulty: faulty('name'),
    }),
    fieldHtml({
      name: 'email',
      label: 'E-mail',
      type: 'email',
      value: form.get('email') ?? '',
      autocomplete: 'username',
      faulty: faulty('email'),
    }),
    fieldHtml({ ...NEW_PASSWORD, label: 'Password', faulty: faulty('password') }),
    buttonHtml({ label: 'Create account', main: true }),
  ];
  const body = [
    faultHtml(refusal?.fault),
    formHtml(call, { action: '/signup', values: carried(call), fields: fields.join('\n') }),
    `<p class="after"><a href="/login${suffix(call)}">I have an account</a></p>`,
  ];
  const formTargets = await returnTargets(call.ctx, pendingRequest(call));
  return page(call, { ...named, body: body.join('\n'), status: refusal?.status, formTargets });
}

async function signUp(call: PageCall): Promise<Reply> {
  const reply = await ask(call, '/sign-up/email', { ...credentialsIn(call), name: call.form.get('name') ?? '' });
  if (reply.status === 429) return signUpPage(call, { status: 429, fault: TOO_MANY });
  if (reply.status >= 400) return signUpPage(call, { status: 422, fault: reply.message, field: faultyField(reply) });
  if (reply.fields.token === null) {
    return page(call, {
      name: 'signup',
      title: 'Nearly there',
      body: '<p>We have sent you a link. Please confirm your address with it.</p>',
    });
  }
  return onward(call, reply);
}

// The library names no field; its codes and words do.
function faultyField({ field, code, message }: AuthReply): string | null {
  if (field !== null) return field;
  if (/EMAIL/.test(code) || /e-?mail/i.test(message)) return 'email';
  return /PASSWORD/.test(code) ? 'password' : /\bname\b/.test(message) ? 'name' : null;
}

async function signOut(call: PageCall): Promise<Reply> {
  const reply = await ask(call, '/sign-out', {});
  return seeOther(`${call.ctx.config.webUrl}/`, reply);
}
