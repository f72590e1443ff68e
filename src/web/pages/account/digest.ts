// /account/digest: whether and when a mail comes, and what it tells.
import { readDigest } from '../../../accounts/digest/settings.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import { accountFrame, doneNotice, statusBox } from '../../components/account-frame.ts';
import { checkField, errorSummary, postForm, selectField, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import type { Refusal } from '../../forms/refusal.ts';
import { accountPage, answerPage, type Visit } from '../../visit.ts';

const CADENCES = { off: 'Off', daily: 'Each day', weekly: 'Each week' };
const DAYS = { 1: 'Monday', 2: 'Tuesday', 3: 'Wednesday', 4: 'Thursday', 5: 'Friday', 6: 'Saturday', 0: 'Sunday' };
const HOURS = Object.fromEntries(
  Array.from({ length: 24 }, (_, hour) => [`${hour}`, `${String(hour).padStart(2, '0')}:00`]),
);
const BREAKING = { '': 'Everything', minor: 'What may break, or breaks', major: 'What breaks' };

export const digestPage = accountPage({
  path: '/account/digest',
  summary: 'Digest mail',
  answer: (visit) => showDigest(visit),
});

export async function showDigest(visit: Visit, refusal?: Refusal): Promise<Reply> {
  const { ctx, shell, form } = visit;
  const settings = await readDigest(ctx);
  const errors = refusal?.fields ?? {};
  const typed = (name: string, stored: string) => (refusal ? form.get(name) : stored);
  const fields = html`${selectField({ name: 'cadence', label: 'How often', value: typed('cadence', settings.cadence), options: CADENCES, error: errors.cadence })}${selectField({ name: 'weekday', label: 'Day of a weekly mail', value: typed('weekday', String(settings.weekday)), options: DAYS, error: errors.weekday })}${selectField({ name: 'hour', label: 'Hour', value: typed('hour', String(settings.hour)), options: HOURS, error: errors.hour })}${textField({ name: 'zone', label: 'Time zone', value: typed('zone', settings.zone), help: 'Such as Europe/Lisbon.', error: errors.zone })}${selectField({ name: 'minBreaking', label: 'Tell me of', value: typed('minBreaking', settings.minBreaking ?? ''), options: BREAKING, error: errors.minBreaking })}<div class="full">${checkField({ name: 'security', label: 'Security fixes in any case', checked: refusal ? form.get('security') === 'true' : settings.security })}</div><div class="full actions"><button class="btn primary" type="submit">Save</button></div>`;
  const body = html`<h1>Digest mail</h1>
${errorSummary(refusal)}${doneNotice(shell, { saved: 'Saved.' })}${settings.stoppedReason ? statusBox(`The mail was ${settings.stoppedReason}.`) : ''}
<p class="lede">One mail with what is new in your stacks and in what you follow: what breaks and security fixes first. Without news there is no mail.</p>
${!settings.isAvailable ? statusBox('This registry sends no mail.') : !settings.isVerified ? statusBox('Your address is not verified. Without that no mail is sent.') : ''}
${settings.nextAt ? html`<p class="small muted">The next one is due ${dueAt(settings.nextAt, settings.zone)}.</p>` : ''}
${postForm(shell, { name: 'digest', action: '/account/digest', className: 'formgrid' }, fields)}`;
  return answerPage(
    visit,
    { name: 'digest', head: { title: 'Digest mail' }, body: accountFrame(shell, body) },
    { status: refusal?.status },
  );
}

// As clocks of the chosen zone show it: "Monday, 23 November 2026 at 08:00, Europe/Lisbon".
function dueAt(time: string, zone: string): Html {
  const words = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'short' });
  return html`<time datetime="${time}">${words.format(new Date(time))}, ${zone}</time>`;
}
