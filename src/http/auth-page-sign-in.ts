// Signing in, up and out.
import { nextPath } from '../accounts/auth/next-path.ts';
import {
  type AuthPage,
  ask,
  buttonHtml,
  faultHtml,
  fieldHtml,
  formHtml,
  type PageCall,
  page,
  requireOwnForm,
  type Said,
  seeOther,
} from './auth-page.ts';
import { escapeHtml } from './html.ts';

const PROVIDERS = { github: 'GitHub', google: 'Google' } as const;
const PROVIDER_ORIGINS = { github: 'https://github.com', google: 'https://accounts.google.com' } as const;
type Provider = keyof typeof PROVIDERS;

export const signInPages: readonly AuthPage[] = [
  { method: 'GET', path: '/login', show: async (call) => signInPage(call) },
  { method: 'POST', path: '/login', show: signIn },
  { method: 'POST', path: '/login/github', show: (call) => signInWith(call, 'github') },
  { method: 'POST', path: '/login/google', show: (call) => signInWith(call, 'google') },
  { method: 'GET', path: '/signup', show: async (call) => signUpPage(call) },
  { method: 'POST', path: '/signup', show: signUp },
  { method: 'POST', path: '/logout', show: signOut },
];

// An app that waits for the sign-in has its request, signed, in the address of this page; forms carry it on.
export function pendingRequest({ query, form, exchange }: PageCall): string {
  return form.get('oauth_query') ?? (query.has('sig') ? exchange.target.query : '');
}

// Browsers follow a form's redirects only to places that the page named.
export function returnTargets(request: string): string[] {
  const uri = new URLSearchParams(request).get('redirect_uri') ?? '';
  if (!URL.canParse(uri)) return [];
  const { protocol, origin } = new URL(uri);
  return [origin === 'null' ? protocol : origin];
}

function carried(call: PageCall): Record<string, string> {
  const request = pendingRequest(call);
  const next = call.form.get('next') ?? call.query.get('next');
  return { ...(request ? { oauth_query: request } : {}), ...(next ? { next } : {}) };
}

function configured({ ctx }: PageCall): Provider[] {
  return (Object.keys(PROVIDERS) as Provider[]).filter((provider) => ctx.config.social[provider]);
}

function signInPage(call: PageCall, said?: { status: number; fault: string }): Response {
  const values = carried(call);
  const providers = configured(call);
  const fault = said?.fault ?? (call.query.has('error') ? 'That did not work. Please try another way.' : undefined);
  const fields = [
    fieldHtml({
      name: 'email',
      label: 'E-mail',
      type: 'email',
      value: call.form.get('email') ?? '',
      autocomplete: 'email',
    }),
    fieldHtml({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }),
    buttonHtml('Sign in'),
  ];
  const body = [
    faultHtml(fault),
    formHtml(call, { action: '/login', values, fields: fields.join('\n') }),
    ...providers.map((provider) =>
      formHtml(call, {
        action: `/login/${provider}`,
        values,
        fields: buttonHtml(`Continue with ${PROVIDERS[provider]}`),
      }),
    ),
    `<p><a href="/signup${suffix(call)}">Create an account</a> · <a href="/forgot-password">Forgot your password?</a></p>`,
  ];
  return page(call, {
    title: 'Sign in',
    body: body.join('\n'),
    status: said?.status,
    formTargets: [...returnTargets(pendingRequest(call)), ...providers.map((provider) => PROVIDER_ORIGINS[provider])],
  });
}

function suffix(call: PageCall): string {
  const request = pendingRequest(call);
  const next = call.query.get('next');
  const query = request || (next ? new URLSearchParams({ next }).toString() : '');
  return query ? `?${escapeHtml(query)}` : '';
}

async function signIn(call: PageCall): Promise<Response> {
  requireOwnForm(call, '/login');
  const said = await ask(call, '/sign-in/email', credentialsIn(call));
  if (said.status < 400) return onward(call, said);
  return signInPage(call, { status: said.status === 429 ? 429 : 422, fault: signInFault(said) });
}

// A wrong password never says which part was wrong.
function signInFault({ status, code, message }: Said): string {
  if (status === 429) return 'Too many attempts. Please wait a while.';
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
function onward({ ctx, form }: PageCall, { fields, response }: Said): Response {
  const location = fields.redirect === true && typeof fields.url === 'string' ? fields.url : null;
  return seeOther(location ?? `${ctx.config.webUrl}${nextPath(form.get('next'))}`, response);
}

async function signInWith(call: PageCall, provider: Provider): Promise<Response> {
  requireOwnForm(call, `/login/${provider}`);
  const request = call.form.get('oauth_query');
  const said = await ask(call, '/sign-in/social', {
    provider,
    callbackURL: nextPath(call.form.get('next')),
    errorCallbackURL: '/login',
    ...(request ? { oauth_query: request } : {}),
  });
  if (said.status < 400 && typeof said.fields.url === 'string') return seeOther(said.fields.url, said.response);
  return signInPage(call, { status: 422, fault: 'That did not work. Please try another way.' });
}

function signUpPage(call: PageCall, said?: { status: number; fault: string }): Response {
  if (call.ctx.config.signup === 'closed') {
    return page(call, { title: 'Sign up', status: 403, body: '<p>This registry takes no new accounts.</p>' });
  }
  const { form } = call;
  const fields = [
    fieldHtml({ name: 'name', label: 'Name', value: form.get('name') ?? '', autocomplete: 'name' }),
    fieldHtml({ name: 'email', label: 'E-mail', type: 'email', value: form.get('email') ?? '', autocomplete: 'email' }),
    fieldHtml({
      name: 'password',
      label: 'Password, at least 10 characters',
      type: 'password',
      autocomplete: 'new-password',
    }),
    buttonHtml('Create account'),
  ];
  const body = [
    faultHtml(said?.fault),
    formHtml(call, { action: '/signup', values: carried(call), fields: fields.join('\n') }),
    `<p><a href="/login${suffix(call)}">I have an account</a></p>`,
  ];
  const formTargets = returnTargets(pendingRequest(call));
  return page(call, { title: 'Sign up', body: body.join('\n'), status: said?.status, formTargets });
}

async function signUp(call: PageCall): Promise<Response> {
  requireOwnForm(call, '/signup');
  const said = await ask(call, '/sign-up/email', { ...credentialsIn(call), name: call.form.get('name') ?? '' });
  if (said.status >= 400) return signUpPage(call, { status: said.status === 429 ? 429 : 422, fault: said.message });
  if (said.fields.token === null) {
    return page(call, {
      title: 'Nearly there',
      body: '<p>We have sent you a link. Please confirm your address with it.</p>',
    });
  }
  return onward(call, said);
}

async function signOut(call: PageCall): Promise<Response> {
  requireOwnForm(call, '/logout');
  const said = await ask(call, '/sign-out', {});
  return seeOther(`${call.ctx.config.webUrl}/`, said.response);
}
