// /account/security: sign-in methods, sessions, connected apps, and the deletion of the account.
import { type ConnectedApp, listApps } from '../../../accounts/auth/apps.ts';
import { meaningsOf } from '../../../accounts/auth/scopes.ts';
import { isFreshSignIn, signInMethods } from '../../../accounts/auth/users.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import type { RouteDeclaration } from '../../../http/kernel/route.ts';
import { accountFrame, doneNotice, reveal } from '../../components/account-frame.ts';
import { checkField, errorSummary, postForm, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { noticeBox } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import type { AuthClient } from '../../forms/auth-client.ts';
import type { Refusal } from '../../forms/refusal.ts';
import type { Shell } from '../../frame/shell.ts';
import { accountPage, answerPage, type Visit } from '../../visit.ts';
import { configuredProviders, PROVIDERS } from '../sign-in/pending-app.ts';
import { NEW_PASSWORD } from '../sign-in/signup.ts';

export const securityPage = (auth: AuthClient): RouteDeclaration =>
  accountPage({ path: '/account/security', summary: 'Security', answer: (visit) => showSecurity(visit, auth) });

type SecurityForm = 'email' | 'password' | 'delete' | 'other';

export interface RefusedSecurity {
  form: SecurityForm;
  refusal: Refusal;
}

interface AccountSession {
  id: string;
  ipAddress?: string | null;
  userAgent?: string | null;
  createdAt: string;
  updatedAt: string;
}

const DONE = {
  email: 'If the address is free, it is yours now, or once you confirm it.',
  password: 'Your password was changed.',
  session: 'The session was ended.',
  sessions: 'All other sessions were ended.',
  app: 'The app no longer has access, until you sign in to it again.',
  link: 'You can sign in that way from now on.',
};

export async function showSecurity(visit: Visit, auth: AuthClient, refused?: RefusedSecurity): Promise<Reply> {
  const { ctx, shell, form, sent } = visit;
  const [methods, apps, listed] = await Promise.all([
    signInMethods(ctx),
    listApps(ctx),
    auth.get(visit, '/list-sessions'),
  ]);
  const errorsOf = (name: SecurityForm) => (refused?.form === name ? refused.refusal.fields : {});
  const recent = listed.status === 200;
  const body = html`<h1>Security</h1>
${errorSummary(refused?.refusal, (name) => IDS[`${refused?.form}.${name}`] ?? name)}${doneNotice(shell, DONE)}${sent.has('error') ? noticeBox('warning', 'That did not work. The other service may belong to another account here.') : ''}${recent ? (methods.hasPassword || isFreshSignIn(ctx) ? '' : signInAgain(shell, NOT_FRESH)) : signInAgain(shell, NOT_RECENT)}
<section class="block"><h2>E-mail</h2><p class="muted">It is ${shell.account?.email ?? ''}.</p>${postForm(
    shell,
    { name: 'email', action: '/account/security/email', className: 'form one' },
    html`${textField({ name: 'newEmail', label: 'New address', type: 'email', value: refused?.form === 'email' ? form.get('newEmail') : '', autocomplete: 'email', error: errorsOf('email').newEmail })}${methods.hasPassword ? textField({ name: 'password', id: 'email-password', label: 'Password', type: 'password', autocomplete: 'current-password', ...(ctx.config.mail && { help: EMAIL_HELP }), error: errorsOf('email').password }) : ''}<div><button class="btn" type="submit">Change address</button></div>`,
  )}</section>
<section class="block"><h2>Password</h2>${methods.hasPassword ? passwordForm(shell, errorsOf('password')) : html`<p class="muted">You sign in with ${methods.providers.join(', ')}. A password can be set with <a href="/forgot-password">a link</a>.</p>`}</section>
${providers(visit, methods.providers)}
<section class="block"><h2>Sessions</h2>${recent ? sessions(listed.body as AccountSession[], visit) : html`<p class="muted">Sign in again to see them.</p>`}</section>
<section class="block"><h2>Connected apps</h2>${apps.length > 0 ? html`<ul class="mini">${apps.map((app) => connectedApp(app, shell))}</ul>` : html`<p class="muted">No app has access to your account.</p>`}</section>
<section class="block"><h2>Delete the account</h2>${reveal(
    'Delete my account',
    postForm(
      shell,
      { name: 'delete-account', action: '/account/security/delete', className: 'form one' },
      html`<p>Everything that belongs to the account goes with it: keys, follows, the private feed, webhooks and their logs. It cannot be undone.</p>${methods.hasPassword ? textField({ name: 'password', id: 'delete-password', label: 'Password', type: 'password', autocomplete: 'current-password', error: errorsOf('delete').password }) : checkField({ name: 'confirm', label: 'Yes, delete my account', checked: false })}<div><button class="btn danger" type="submit">Delete for good</button></div>`,
    ),
    { open: refused?.form === 'delete', danger: true },
  )}</section>`;
  return answerPage(
    visit,
    { name: 'security', head: { title: 'Security' }, body: accountFrame(shell, body) },
    { status: refused?.refusal.status },
  );
}

const IDS: Record<string, string> = { 'delete.password': 'delete-password', 'email.password': 'email-password' };

const EMAIL_HELP = 'Your current address gets a mail with a link that undoes the change for 7 days.';

// The service accepts these changes only from a session that is less than a day old, and some without a password only
// from one that has just begun.
const NOT_RECENT = 'You signed in more than a day ago. To change anything here, sign in again first.';
const NOT_FRESH = 'To change your address or delete your account, sign in again first, and do it within 5 minutes.';

function signInAgain(shell: Shell, why: string): Html {
  return html`${noticeBox('warning', why)}${postForm(shell, { name: 'sign-in-again', action: '/logout', values: { next: '/login?next=/account/security' } }, html`<button class="btn primary" type="submit">Sign in again</button>`)}`;
}

function passwordForm(shell: Shell, errors: Readonly<Record<string, string>>): Html {
  return postForm(
    shell,
    { name: 'password', action: '/account/security/password', className: 'form one' },
    html`${textField({ name: 'currentPassword', label: 'Current password', type: 'password', autocomplete: 'current-password', error: errors.currentPassword })}${textField({ ...NEW_PASSWORD, name: 'newPassword', label: 'New password', error: errors.newPassword })}${checkField({ name: 'revokeOtherSessions', label: 'Sign out everywhere else', checked: true })}<div><button class="btn" type="submit">Change password</button></div>`,
  );
}

function providers({ ctx, shell }: Visit, linked: readonly string[]): Html {
  const offered = configuredProviders(ctx.config);
  if (offered.length === 0 && linked.length === 0) return '';
  const row = (provider: (typeof offered)[number]) =>
    linked.includes(provider)
      ? html`<li><span>${PROVIDERS[provider]}</span><span class="health ok">Linked</span></li>`
      : html`<li><span>${PROVIDERS[provider]}</span>${postForm(shell, { name: 'link', action: '/account/security/link', values: { provider } }, html`<button class="btn small" type="submit">Link<span class="sr"> ${PROVIDERS[provider]}</span></button>`)}</li>`;
  return html`<section class="block"><h2>Other ways to sign in</h2><ul class="mini">${offered.map(row)}</ul></section>`;
}

function sessions(list: readonly AccountSession[], { ctx, shell }: Visit): Html {
  const own = ctx.caller.account?.id;
  const row = ({ id, ipAddress, userAgent, createdAt, updatedAt }: AccountSession) => {
    const device = deviceWords(userAgent ?? null);
    const action =
      id === own
        ? html`<span class="badge line">This one</span>`
        : postForm(
            shell,
            { name: 'sign-out', action: '/account/security/sign-out', values: { id } },
            html`<button class="btn small" type="submit">Sign out<span class="sr"> ${device}</span></button>`,
          );
    return html`<li><span>${device}</span>${action}<span class="sub">${ipAddress || 'unknown address'} · signed in ${ago(createdAt, shell.now)} · last renewed ${ago(updatedAt, shell.now)}</span></li>`;
  };
  const others = list.some(({ id }) => id !== own)
    ? postForm(
        shell,
        { name: 'sign-out-others', action: '/account/security/sign-out' },
        html`<button class="btn" type="submit">Sign out everywhere else</button>`,
      )
    : '';
  return html`<ul class="mini">${list.map(row)}</ul>${others}`;
}

function connectedApp(app: ConnectedApp, shell: Shell): Html {
  const { clientId, name, isVerified, skipsConsent, scopes, grantedAt } = app;
  return html`<li><span>${name ?? clientId}${isVerified ? '' : ' (unverified)'}</span>${postForm(shell, { name: 'revoke-app', action: '/account/security/revoke-app', values: { clientId } }, html`<button class="btn small" type="submit">Revoke<span class="sr"> ${name ?? clientId}</span></button>`)}<span class="sub">It may ${meaningsOf(scopes).join('; ')}. Since ${ago(grantedAt, shell.now)}.${skipsConsent ? ' The operator of this registry trusts it, so it does not ask you.' : ''}</span></li>`;
}

// The page shows a link to the identity provider, because the content security policy keeps forms on this site.
export function showLink(visit: Visit, provider: keyof typeof PROVIDERS, url: string): Reply {
  const body = html`<div class="narrow stack"><h1>Link ${PROVIDERS[provider]}</h1><p>You are sent to ${PROVIDERS[provider]} and back.</p><p><a class="btn primary wide" href="${url}">Continue to ${PROVIDERS[provider]}</a></p><p class="small"><a href="/account/security">Back to security</a></p></div>`;
  return answerPage(visit, { name: 'link', head: { title: `Link ${PROVIDERS[provider]}` }, body });
}

// Names the browser and the system of a session from its user agent.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const MAX_LENGTH = 40;

export function deviceWords(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device';
  const nameIn = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameIn(BROWSERS);
  const system = nameIn(SYSTEMS);
  if (!browser) return userAgent.split(/[\s/]/, 1)[0]?.slice(0, MAX_LENGTH) || 'Unknown device';
  return system ? `${browser} on ${system}` : browser;
}
