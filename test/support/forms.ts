// A browser without script.
import { type CheerioAPI, load } from 'cheerio';
import { cookiesOf } from './accounts.ts';
import type { Answer } from './client.ts';
import type { Service } from './service.ts';

const FORM = 'application/x-www-form-urlencoded';

// The values typed over those of the page; null removes a field.
type Fill = Record<string, string | null>;

// Follows links, sends forms, and stores cookies. A form is named by its position in the page or by its `data-form`.
export function browse(service: Service, { cookies: given = '' } = {}) {
  let cookies = given;
  const keep = (answer: Answer) => {
    cookies = joined(cookies, cookiesOf(answer.headers));
    return answer;
  };
  const local = (address: string) => {
    const { pathname, search } = new URL(address, service.origin);
    return `${pathname}${search}`;
  };
  const sent = (): Record<string, string> => (cookies ? { Cookie: cookies } : {});
  return {
    cookies: () => cookies,
    get: async (address: string) =>
      keep(await service.anonymous.get(local(address), { Accept: 'text/html', ...sent() })),
    async submit(page: Answer, fill: Fill, which: number | string = 0, headers: Record<string, string> = {}) {
      const $ = load(page.text);
      // Besides the forms of the page there is the search form of the frame.
      const form = typeof which === 'number' ? $('main form').eq(which) : $(`main form[data-form="${which}"]`).first();
      if (form.length === 0) throw new Error(`the page has no form ${which}: ${page.status} ${page.text}`);
      const fields = fieldsOf($, form);
      for (const [name, value] of Object.entries(fill)) {
        if (value === null) fields.delete(name);
        else fields.set(name, value);
      }
      const action = form.attr('action') ?? '';
      const all = { 'Content-Type': FORM, Origin: service.origin, ...sent(), ...headers };
      return keep(await service.anonymous.post(action, fields.toString(), all));
    },
  };
}

// A cookie that comes again replaces the one of its name; an empty one takes it away.
function joined(...parts: string[]): string {
  const pairs = parts.flatMap((part) => (part ? part.split('; ') : []));
  const byName = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair]));
  return [...byName.values()].filter((pair) => !pair.endsWith('=')).join('; ');
}

function fieldsOf($: CheerioAPI, form: ReturnType<CheerioAPI>): URLSearchParams {
  const fields = new URLSearchParams();
  form.find('input[name]').each((_, input) => {
    const { name = '', value = '', type = 'text' } = $(input).attr() ?? {};
    const isChoice = type === 'checkbox' || type === 'radio';
    if (!isChoice || $(input).is('[checked]')) fields.set(name, value);
  });
  form.find('select[name]').each((_, select) => {
    const chosen = $(select).find('option[selected]').first();
    const option = chosen.length > 0 ? chosen : $(select).find('option').first();
    fields.set($(select).attr('name') ?? '', option.attr('value') ?? '');
  });
  return fields;
}
