// A follow button is a form, so that it works without script.
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';

interface Followable {
  type: 'org' | 'product';
  id: string;
  name: string;
}

export function followForm({ type, id, name }: Followable, next: string): Html {
  return html`<form data-form="follow" method="post" action="/follow"><input type="hidden" name="type" value="${type}"><input type="hidden" name="id" value="${id}"><input type="hidden" name="action" value="follow"><input type="hidden" name="next" value="${next}"><button class="btn primary" type="submit">${icon('star')}Follow<span class="sr"> ${name}</span></button></form>`;
}
