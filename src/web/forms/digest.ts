// Saves when digest mails come, and stops them from a link in one. Opening the link stops nothing: mail programs and their
// scanners open links. Pressing its button does, and so does the one click that mail programs offer (RFC 8058).
import { putDigest, stopDigest, userOfToken } from '../../accounts/digest/settings.ts';
import type { Context } from '../../context.ts';
import { digestInput } from '../../contract/digest.ts';
import { text } from '../../contract/query.ts';
import type { Reply } from '../../http/kernel/reply.ts';
import { type RequestInfo, type RouteDeclaration, route } from '../../http/kernel/route.ts';
import { html } from '../components/html.ts';
import { readShell } from '../frame/read-shell.ts';
import { showDigest } from '../pages/account/digest.ts';
import { accountForm, answerPage, seeOther } from '../visit.ts';
import { isTicked, parsed, textsIn } from './parse.ts';
import { refusalOf } from './refusal.ts';

const OFF_PATH = '/digest/off';
const LABELS = { cadence: 'How often', weekday: 'The day', hour: 'The hour', zone: 'The time zone' };

const save = accountForm({
  path: '/account/digest',
  summary: 'Save when digest mails come',
  answer: async (visit) => {
    try {
      const given = textsIn(visit.form, ['cadence', 'weekday', 'hour', 'zone', 'minBreaking']);
      const input = parsed(digestInput, {
        ...given,
        ...(given.weekday && { weekday: Number(given.weekday) }),
        ...(given.hour && { hour: Number(given.hour) }),
        security: isTicked(visit.form, 'security'),
      });
      await putDigest(visit.ctx, input);
      return seeOther(visit, '/account/digest?done=saved');
    } catch (error) {
      return showDigest(visit, refusalOf(error, LABELS));
    }
  },
});

const off = (method: 'GET' | 'POST') =>
  route({
    method,
    path: OFF_PATH,
    summary: method === 'GET' ? 'Ask whether digest mails should stop' : 'Stop digest mails',
    tag: 'Pages',
    access: method === 'GET' ? 'visitor' : 'public',
    query: { t: text({ max: 500 }) },
    accepts: 'any',
    answers: null,
    cache: 'never',
    run: async (ctx, { query }, request) => {
      const token = query.t ?? request.form?.get('t') ?? '';
      const userId = userOfToken(ctx, token);
      if (userId === null)
        return drawn(
          ctx,
          request,
          html`<h1>This link stops nothing</h1><p>It is not complete. Open it from the mail once more, or change the mail in <a href="/account/digest">your account</a>.</p>`,
          404,
        );
      if (method === 'GET') {
        return drawn(
          ctx,
          request,
          html`<h1>Stop the digest mail?</h1><p>Stacks, follows, feeds and webhooks stay as they are.</p><form data-form="digest-off" method="post" action="${OFF_PATH}"><input type="hidden" name="t" value="${token}"><div class="actions"><button class="btn primary" type="submit">Stop the mail</button></div></form>`,
        );
      }
      await stopDigest(ctx, userId);
      return drawn(
        ctx,
        request,
        html`<h1>The digest mail is off</h1><p>You can switch it on again in <a href="/account/digest">your account</a>.</p>`,
      );
    },
  });

async function drawn(ctx: Context, request: RequestInfo, body: ReturnType<typeof html>, status = 200): Promise<Reply> {
  const shell = await readShell(ctx, request);
  const page = {
    name: 'digest-off',
    head: { title: 'Digest mail' },
    body: html`<div class="narrow stack">${body}</div>`,
  };
  return answerPage({ ctx, shell }, page, { status });
}

export const digestForms: RouteDeclaration[] = [save, off('GET'), off('POST')];
