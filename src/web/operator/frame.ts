// The frame of the operator area: its menu, the message after a form, the error of a refused form.
import { HTML_TYPE, Reply } from '../../http/kernel/reply.ts';
import { errorSummary } from '../components/form.ts';
import { type Html, html } from '../components/html.ts';
import { noticeBox } from '../components/parts.ts';
import { documentHtml } from '../frame/document.ts';
import type { OperatorAccess, OperatorPage, OperatorVisit } from './visit.ts';

const NAV: readonly { path: string; name: string; access: OperatorAccess }[] = [
  { path: '/admin', name: 'Overview', access: 'write' },
  { path: '/admin/sources', name: 'Sources', access: 'write' },
  { path: '/admin/packages', name: 'Packages', access: 'admin' },
  { path: '/admin/fetch-log', name: 'Fetch log', access: 'admin' },
  { path: '/admin/stuck', name: 'Stuck', access: 'admin' },
  { path: '/admin/waiting', name: 'Waiting', access: 'admin' },
  { path: '/admin/add', name: 'Add', access: 'admin' },
  { path: '/admin/orgs', name: 'Organizations', access: 'write' },
  { path: '/admin/collections', name: 'Collections', access: 'write' },
  { path: '/admin/notice', name: 'Notice', access: 'admin' },
  { path: '/admin/tokens', name: 'Tokens', access: 'admin' },
  { path: '/admin/webhooks', name: 'Webhooks', access: 'admin' },
  { path: '/admin/audit', name: 'Audit log', access: 'admin' },
];

// The messages by the value of the query parameter `done`.
const DONE: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  created: 'Created.',
  deleted: 'Deleted.',
  fetched: 'Fetched. The fetch log shows what came of it.',
  queued: 'The fetch goes on in the background. The fetch log will show what came of it.',
  paused: 'Paused. It is not fetched until you resume it.',
  resumed: 'Resumed. It is fetched with the next round.',
  hidden: 'Hidden from the public.',
  shown: 'Visible to the public again.',
  suppressed: 'Suppressed. The public no longer sees it.',
  revoked: 'Revoked, and its sessions are over.',
  replayed: 'Queued for delivery.',
  dismissed: 'Dismissed.',
  accepted: 'Accepted. The next fetch stores what it finds.',
  packageRead: 'Read. What the registry said stands below.',
  registrySaved: 'Saved. Its packages are read with the next round.',
  madePublic: 'Made public. Names of the scope may be asked for at the public registry.',
  stopped: 'Stopped. What was read stays.',
  waitEnded: 'The host is asked again with the next round.',
};

interface Framed {
  page: OperatorPage;
  body: Html;
  // 200 by default.
  status?: number;
}

export function operatorReply({ shell, refusal, isAdmin }: OperatorVisit, { page, body, status = 200 }: Framed): Reply {
  const done = DONE[shell.query.get('done') ?? ''];
  const links = NAV.filter(({ access }) => isAdmin || access === 'write').map(({ path, name }) => {
    const here = path === '/admin' ? page.path === path : page.path === path || page.path.startsWith(`${path}/`);
    return html`<li><a href="${path}"${here ? html` aria-current="page"` : ''}>${name}</a></li>`;
  });
  const end = html`<form data-form="operator-end" method="post" action="/admin/session/end"><button class="btn quiet small" type="submit">End session</button></form>`;
  const text = documentHtml(shell, {
    name: `admin${page.path
      .slice('/admin'.length)
      .replaceAll(/\/\{\w+\}/g, '-detail')
      .replaceAll('/', '-')}`,
    head: { title: `${page.title} · Operator`, description: `${page.title}.`, robots: 'noindex, nofollow' },
    body: html`<div class="with-nav"><nav class="side-nav" aria-label="Operator"><ul>${links}</ul>${end}</nav><div class="stack">
${done ? html`<div role="status">${noticeBox('info', done)}</div>` : ''}${errorSummary(refusal)}${body}</div></div>`,
  });
  return unlistedReply(String(text), status);
}

// Search engines must not list pages of the operator area.
export function unlistedReply(text: string, status: number): Reply {
  return new Reply(status, text, { 'Content-Type': HTML_TYPE, 'X-Robots-Tag': 'noindex, nofollow' });
}
