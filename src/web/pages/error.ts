// Error pages: what happened, and where to continue. They show no internal details.
import { type Html, html } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import type { WebPage } from '../frame/document.ts';

const WORDS: Record<number, { title: string; text: string }> = {
  400: {
    title: 'This address cannot be read',
    text: 'A part of it is not what the page expects. Check it, or search for what you want.',
  },
  403: { title: 'You cannot open this page', text: 'Sign in with an account that may see it.' },
  404: { title: 'Page not found', text: 'The page may have moved, or what it showed was withdrawn.' },
  405: { title: 'This page cannot do that', text: 'Go back and try again from the page itself.' },
  429: { title: 'Too many requests', text: 'Wait a minute and try again.' },
  500: { title: 'Something broke on our side', text: 'It has been noted. Try again in a moment.' },
  503: { title: 'The registry is busy or being repaired', text: 'Try again in a moment.' },
};

// `more` is what the reader can do about it.
export function errorPage(status: number, message?: string, own: { title?: string; more?: Html } = {}): WebPage {
  const fallback = status >= 500 ? WORDS[500] : WORDS[400];
  const { title: usual, text } = WORDS[status] ?? fallback ?? { title: 'Something went wrong', text: '' };
  const { title = usual, more = '' } = own;
  return {
    name: 'error',
    head: { title, robots: 'noindex, follow' },
    body: html`<div class="lost"><p class="big" aria-hidden="true">${status}</p><h1>${title}</h1><p class="lede">${message ?? text}</p>${more}
<form class="searchbox big" action="/search" role="search" aria-label="Everything" data-form="search">${icon('search')}<label class="sr" for="q">Search</label><input class="input" id="q" name="q" type="search" placeholder="A package, a version, an option"></form><p><a href="/">Home</a></p></div>`,
  };
}
