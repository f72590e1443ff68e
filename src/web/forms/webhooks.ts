// Forms for the webhooks of an account: the same functions as under /v1/me/webhooks.

import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { rangeReplay, webhookChange, webhookCreation } from '../../contract/webhooks.ts';
import { resolveOrg, resolveProduct } from '../../entities/resolve.ts';
import type { Reply } from '../../http/kernel/reply.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { ESTIMATED_DAYS, estimateReleases } from '../../webhooks/estimate.ts';
import { replayDelivery } from '../../webhooks/replay/one.ts';
import { replayRange } from '../../webhooks/replay/range.ts';
import { createSubscription } from '../../webhooks/subscriptions/create.ts';
import { deleteSubscription } from '../../webhooks/subscriptions/delete.ts';
import { getSubscription } from '../../webhooks/subscriptions/list.ts';
import { accountOwner } from '../../webhooks/subscriptions/owner.ts';
import { rotateKey } from '../../webhooks/subscriptions/rotate.ts';
import { updateSubscription } from '../../webhooks/subscriptions/update.ts';
import { sendTest } from '../../webhooks/test-event.ts';
import { type Html, plural } from '../components/html.ts';
import { meaningIn, readback, stackSubject } from '../components/meaning-fields.ts';
import { WEBHOOK_LABELS } from '../components/webhook-fields.ts';
import { showWebhook } from '../pages/account/webhook.ts';
import { showWebhooks } from '../pages/account/webhooks.ts';
import { accountForm, seeOther, type Visit } from '../visit.ts';
import { onlyOnce } from './once.ts';
import { isTicked, parsed, textsIn } from './parse.ts';
import { refusalOf, sentence } from './refusal.ts';

const RANGE_LABELS = { since: 'The start', until: 'The end', only: 'Which' };

export const webhookForms: RouteDeclaration[] = [
  accountForm({ path: '/account/webhooks', summary: 'Add a webhook', answer: create }),
  action('edit', 'Edit a webhook', edit),
  action('pause', 'Pause a webhook', (visit, own) => setEnabled(visit, own, false)),
  action('resume', 'Resume a webhook', (visit, own) => setEnabled(visit, own, true)),
  action('rotate', 'A new signing key', rotate),
  action('test', 'Send a test', async (visit, own) => {
    await sendTest(visit.ctx, own);
    return backTo(visit, own, 'test');
  }),
  action('replay', 'Send events again', (visit, own) =>
    visit.form.has('deliveryId') ? replayOne(visit, own) : replayAll(visit, own),
  ),
  action('delete', 'Delete a webhook', async (visit, own) => {
    await deleteSubscription(visit.ctx, own);
    return seeOther(visit, '/account/webhooks?done=deleted');
  }),
];

interface Own {
  id: string;
  owner: { userId: string };
}

// A refused action is shown on the page of the webhook.
function action(name: string, summary: string, run: (visit: Visit, own: Own) => Promise<Reply>): RouteDeclaration {
  return accountForm({
    path: `/account/webhooks/{id}/${name}`,
    summary,
    answer: async (visit) => {
      const own = { id: visit.params.id ?? '', owner: accountOwner(visit.ctx) };
      try {
        return await run(visit, own);
      } catch (error) {
        const form = name === 'edit' ? 'edit' : visit.form.has('since') ? 'replay-range' : 'other';
        const labels = form === 'edit' ? WEBHOOK_LABELS : form === 'replay-range' ? RANGE_LABELS : {};
        return showWebhook(visit, { id: own.id, refused: { form, refusal: refusalOf(error, labels) } });
      }
    },
  });
}

function backTo(visit: Visit, { id }: Own, done: string): Reply {
  return seeOther(visit, `/account/webhooks/${id}?done=${done}`);
}

const TEXTS = ['url', 'format', 'description', 'productSlug', 'sourceSlug', 'releaseType'] as const;

async function create(visit: Visit): Promise<Reply> {
  const { form } = visit;
  try {
    if (form.has('preview')) return await showWebhooks(visit, { preview: await preview(visit) });
    const input = parsed(webhookCreation, {
      ...chosenTexts(form),
      excludePrereleases: isTicked(form, 'excludePrereleases'),
      ...meaningIn(form),
    });
    const owner = accountOwner(visit.ctx);
    const saved = await onlyOnce(visit, (ctx) => createSubscription(ctx, { owner, input }), { outbound: true });
    if (!saved) return await showWebhooks(visit, { repeated: true });
    const notes = [
      saved.warnings ? 'The name of the address could not be resolved just now.' : '',
      isTicked(form, 'test') ? await tested(visit.ctx, { id: saved.id, owner }) : '',
    ];
    const note = ['The webhook was added.', ...notes].filter(Boolean).join(' ');
    return await showWebhook(visit, { id: saved.id, note, ...(saved.signingKey && { keys: saved }) });
  } catch (error) {
    return showWebhooks(visit, { refusal: refusalOf(error, WEBHOOK_LABELS) });
  }
}

// What was typed for another subject is left out: its field may be out of sight.
function chosenTexts(form: URLSearchParams): Partial<Record<keyof typeof WEBHOOK_LABELS, string>> {
  const ofSubject = {
    follows: [],
    org: ['orgSlug', 'productSlug', 'sourceSlug'],
    stack: ['stackName'],
  } as const;
  const scope = form.get('scope') ?? '';
  const names = Object.hasOwn(ofSubject, scope) ? ofSubject[scope as keyof typeof ofSubject] : ofSubject.org;
  return textsIn(form, ['url', 'format', 'description', 'releaseType', 'scope', ...names]);
}

// The choices as a sentence, with how much it would have been lately.
async function preview({ ctx, form }: Visit): Promise<Html> {
  const { scope = 'org', orgSlug = '', productSlug, stackName = '' } = chosenTexts(form);
  const meaning = meaningIn(form);
  if (scope === 'stack') return readback({ subject: stackSubject(stackName), meaning, count: null });
  const org = scope === 'follows' ? null : await resolveOrg(ctx, orgSlug, { field: 'orgSlug' });
  const named = org && productSlug ? await resolveProduct(ctx, { org: org.id, product: productSlug }) : null;
  const count = await estimateReleases(ctx, accountOwner(ctx).userId, {
    org,
    productId: named?.product.id,
    excludePrereleases: isTicked(form, 'excludePrereleases'),
    meaning,
  });
  const subject = named?.product.name ?? org?.name ?? 'everything you follow';
  return readback({ subject, meaning, count, days: ESTIMATED_DAYS });
}

// A failed test does not undo the creation of the webhook, so its error becomes a note.
async function tested(ctx: Context, own: Own): Promise<string> {
  try {
    await sendTest(ctx, own);
    return 'A test is on its way; reload its page in a moment to see how it went.';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `The test could not be sent: ${sentence(error.message)}`;
  }
}

// An empty filter field clears the filter.
async function edit(visit: Visit, own: Own): Promise<Reply> {
  const { form } = visit;
  const { scope } = await getSubscription(visit.ctx, own);
  const { url = '', format = 'json', description = null, releaseType = null, ...owners } = textsIn(form, TEXTS);
  const { productSlug = null, sourceSlug = null } = owners;
  const change = parsed(webhookChange, {
    url,
    format,
    description,
    releaseType,
    excludePrereleases: isTicked(form, 'excludePrereleases'),
    ...meaningIn(form),
    ...(scope === 'org' && { productSlug, sourceSlug }),
  });
  const saved = await onlyOnce(visit, (ctx) => updateSubscription(ctx, { ...own, change }), { outbound: true });
  return saved?.signingKey ? showWebhook(visit, { id: own.id, keys: saved }) : backTo(visit, own, 'edited');
}

async function setEnabled(visit: Visit, own: Own, enabled: boolean): Promise<Reply> {
  await updateSubscription(visit.ctx, { ...own, change: { enabled } });
  return backTo(visit, own, enabled ? 'resumed' : 'paused');
}

async function rotate(visit: Visit, own: Own): Promise<Reply> {
  const revokeOld = isTicked(visit.form, 'revokeOld');
  const keys = await onlyOnce(visit, (ctx) => rotateKey(ctx, { ...own, revokeOld }));
  return keys ? showWebhook(visit, { id: own.id, keys }) : backTo(visit, own, 'repeated');
}

async function replayOne(visit: Visit, own: Own): Promise<Reply> {
  await replayDelivery(visit.ctx, { ...own, deliveryId: visit.form.get('deliveryId') ?? '' });
  return backTo(visit, own, 'replayed');
}

async function replayAll(visit: Visit, own: Own): Promise<Reply> {
  const range = parsed(rangeReplay, textsIn(visit.form, ['since', 'until', 'only']));
  const { queued, truncated, nextSince } = await replayRange(visit.ctx, { ...own, range });
  const rest = truncated ? ` More are left: go on from ${nextSince}.` : '';
  return showWebhook(visit, { id: own.id, note: `${plural(queued, 'event')} on the way again.${rest}` });
}
