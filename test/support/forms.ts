// A browser without script.
import { load } from 'cheerio';
import { cookiesOf } from './accounts.ts';
import type { Answer } from './client.ts';
import type { Service } from './service.ts';

const FORM = 'application/x-www-form-urlencoded';

// Follows links and sends forms, and keeps the cookies that it is given.
export function browse(service: Service) {
  let cookies = '';
  const keep = (answer: Answer) => {
    const given = cookiesOf(answer.headers);
    if (given) cookies = given;
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
    async submit(page: Answer, fill: Record<string, string>, button = 0, headers: Record<string, string> = {}) {
      const $ = load(page.text);
      // Besides the forms of the page there is the search of the frame.
      const form = $('main form').eq(button);
      const fields = new URLSearchParams();
      form.find('input').each((_, input) => {
        const name = $(input).attr('name');
        if (name) fields.set(name, fill[name] ?? $(input).attr('value') ?? '');
      });
      for (const [name, value] of Object.entries(fill)) fields.set(name, value);
      const action = form.attr('action') ?? '';
      const all = { 'Content-Type': FORM, Origin: service.origin, ...sent(), ...headers };
      return keep(await service.anonymous.post(action, fields.toString(), all));
    },
  };
}
