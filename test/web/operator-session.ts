// The operator area as a browser with one session uses it.
import assert from 'node:assert/strict';
import { load } from 'cheerio';
import type { Service } from '../support/service.ts';

interface Answer {
  status: number;
  location: string | null;
  headers: Headers;
  text: string;
}

export class Operator {
  #cookie = '';
  readonly #service: Service;
  constructor(service: Service) {
    this.#service = service;
  }

  async signIn(token: string): Promise<Answer> {
    const answer = await this.#send('/admin/session', { method: 'POST', body: new URLSearchParams({ token }) });
    this.#cookie = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    return answer;
  }

  get(path: string): Promise<Answer> {
    return this.#send(path, {});
  }

  // Fills in the form of a page with this action and sends it.
  async submit(page: string, action: string, fields: Record<string, string> = {}): Promise<Answer> {
    const { text } = await this.get(page);
    const form = load(text)(`form[action="${action}"]`);
    assert.equal(form.length, 1, `${page} has a form for ${action}`);
    const body = new URLSearchParams();
    form.find('input, textarea, select').each((_, control) => {
      const { name, type, value, checked } = control.attribs;
      if (!name || (type === 'checkbox' && checked === undefined)) return;
      const chosen = load(control)('option[selected]').attr('value') ?? load(control)('option').attr('value');
      body.set(
        name,
        control.name === 'textarea' ? load(control).text() : control.name === 'select' ? (chosen ?? '') : (value ?? ''),
      );
    });
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return this.#send(action, { method: 'POST', body });
  }

  async #send(path: string, init: RequestInit): Promise<Answer> {
    const { url, origin } = this.#service;
    const headers = { Origin: origin, Accept: 'text/html', ...(this.#cookie && { Cookie: this.#cookie }) };
    const answer = await fetch(url + path, { ...init, headers, redirect: 'manual' });
    const location = answer.headers.get('location')?.replace(origin, '') ?? null;
    return { status: answer.status, location, headers: answer.headers, text: await answer.text() };
  }
}
