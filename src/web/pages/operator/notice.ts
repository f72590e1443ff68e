// /admin/notice: the site notice, with a preview.
import type { SiteNotice, SiteNoticeAnswer } from '../../../contract/notice.ts';
import { postForm, selectField, textField } from '../../components/form.ts';
import { html } from '../../components/html.ts';
import { siteNotice } from '../../components/parts.ts';
import { operatorPage } from '../../operator/visit.ts';

const EMPTY: SiteNotice = {
  active: false,
  message: '',
  placement: 'banner',
  color: '#2f6f5e',
  dismissible: true,
  updatedAt: '',
};

export const noticePage = operatorPage({
  path: '/admin/notice',
  title: 'Site notice',
  access: 'admin',
  load: async ({ api }) => {
    const { notice } = await api.get<SiteNoticeAnswer>('/site-notice');
    return notice ?? EMPTY;
  },
  show: (stored, { shell, form, refusal }) => {
    const sent = form.has('message');
    const value = (name: 'message' | 'linkText' | 'href' | 'color') => (sent ? form.get(name) : stored[name]) ?? '';
    const isOn = (name: 'active' | 'dismissible') => (sent ? form.has(name) : stored[name]);
    const placement = (sent ? form.get('placement') : stored.placement) ?? 'banner';
    const shown = {
      ...stored,
      message: value('message'),
      linkText: value('linkText') || undefined,
      href: value('href') || undefined,
    };
    return html`<h1>Site notice</h1>
${shown.message ? html`<section><h2>Preview</h2>${siteNotice({ ...shown, color: /^#[0-9a-f]{6}$/i.test(value('color')) ? value('color') : stored.color, dismissible: false }, 'Preview')}<p class="small muted">${stored.active ? 'It is shown to everybody.' : 'It is not shown to anybody.'}</p></section>` : ''}
${postForm(
  shell,
  { name: 'notice', action: '/admin/notice/save' },
  html`${textField({ name: 'message', label: 'Message', value: value('message'), error: refusal?.fields.message })}<div class="form-grid">${textField({ name: 'linkText', label: 'Link text', value: value('linkText'), required: false, error: refusal?.fields.linkText })}${textField({ name: 'href', label: 'Link address', value: value('href'), required: false, error: refusal?.fields.href })}${textField({ name: 'color', label: 'Colour of the mark', value: value('color'), error: refusal?.fields.color })}${selectField({ name: 'placement', label: 'Place', value: placement, options: { banner: 'Above every page', home: 'On the home page' } })}</div>
<label class="check"><input type="checkbox" name="active" value="true"${isOn('active') ? html` checked` : ''}> Show it</label><label class="check"><input type="checkbox" name="dismissible" value="true"${isOn('dismissible') ? html` checked` : ''}> Readers may dismiss it</label>
<div class="cluster"><button class="btn primary" type="submit">Save</button><button class="btn" type="submit" name="preview" value="true">Preview</button></div>`,
)}`;
  },
});
