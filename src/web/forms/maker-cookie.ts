// By this cookie a browser that is not signed in is known as the maker of its reports.
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';

const NAME = 'report_maker';
const VALUE = /^rdt_[0-9A-Za-z]{22}$/;
const LASTING_SECONDS = 30 * 86_400;

export function makerSecret({ cookie = '' }: IncomingHttpHeaders): string | null {
  for (const part of cookie.split(';')) {
    const [name, value = ''] = part.trim().split('=');
    if (name === NAME && VALUE.test(value)) return value;
  }
  return null;
}

export function makerCookie({ config }: Pick<Context, 'config'>, secret: string): string {
  const secure = config.webUrl.startsWith('https:') ? '; Secure' : '';
  return `${NAME}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${LASTING_SECONDS}${secure}`;
}
