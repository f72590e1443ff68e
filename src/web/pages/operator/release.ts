// /admin/releases/{rel}: hides one release from the public, with a reason, or brings it back.
import type { ReleaseDetail } from '../../../contract/release.ts';
import { postForm, textField } from '../../components/form.ts';
import { html } from '../../components/html.ts';
import { facts } from '../../components/parts.ts';
import { shortDate } from '../../components/time.ts';
import { operatorPage } from '../../operator/visit.ts';

export const releaseEditorPage = operatorPage({
  path: '/admin/releases/{rel}',
  title: 'Suppress a release',
  access: 'write',
  load: ({ api, params }) => api.get<ReleaseDetail>('/releases/{rel}', { params }),
  show: (release, { shell, form, refusal }) => {
    const { id, suppressed, suppressedReason } = release;
    const action = `/admin/releases/${id}/${suppressed ? 'unsuppress' : 'suppress'}`;
    return html`<h1>${suppressed ? 'Bring a release back' : 'Suppress a release'}</h1>
${facts([
  ['Release', release.title || (release.version ?? id)],
  ['Version', release.version ?? 'none'],
  ['Source', release.source.name],
  ['Published', release.publishedAt ? shortDate(release.publishedAt) : 'not known'],
  ['State', suppressed ? `suppressed${suppressedReason ? `: ${suppressedReason}` : ''}` : 'shown to everyone'],
])}<p>${suppressed ? 'It is shown again in lists, feeds, search and upgrades.' : 'It disappears from lists, feeds, search and upgrades, and its page is gone. You can bring it back here.'}</p>
${postForm(
  shell,
  { name: suppressed ? 'unsuppress' : 'suppress', action, values: { next: `/admin/releases/${id}` } },
  html`${
    suppressed
      ? ''
      : textField({
          name: 'reason',
          label: 'Reason',
          value: form.get('reason'),
          help: 'For the audit log and for other operators.',
          error: refusal?.fields.reason,
          more: html`maxlength="500"`,
        })
  }<div class="cluster"><button class="btn ${suppressed ? 'primary' : 'danger'}" type="submit">${suppressed ? 'Bring it back' : 'Suppress it'}</button><a class="btn" href="/admin/view/release/${id}">Cancel</a></div>`,
)}`;
  },
});
