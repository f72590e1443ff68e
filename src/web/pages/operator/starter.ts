// /admin/starter: the well-known packages that a new registry reads by itself, and the end of it.
import type { StarterState } from '../../../contract/starter.ts';
import { postForm } from '../../components/form.ts';
import { html } from '../../components/html.ts';
import { operatorPage } from '../../operator/visit.ts';

export const STARTER_PATH = '/admin/starter';

export const starterPage = operatorPage({
  path: STARTER_PATH,
  title: 'Well-known packages',
  access: 'admin',
  load: ({ api }) => api.get<StarterState>('/admin/starter'),
  show: ({ done, total, state }, { shell }) => html`<h1>Well-known packages</h1>
<p>${total === 0 ? 'This registry reads none by itself.' : `${done} of ${total} are read${state === 'stopped' ? ', and no more will be' : ''}.`}</p>${
    state === 'running'
      ? html`<p class="muted">They are read behind everything that somebody waits for. What was read stays.</p>${postForm(shell, { name: 'starter-stop', action: `${STARTER_PATH}/stop` }, html`<button class="btn" type="submit">Stop reading them</button>`)}`
      : ''
  }`,
});
