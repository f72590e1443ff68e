// The one field of the home page: a package, a package and a version, a repository, or a lockfile that is dropped.
import type { ShownUpgrade } from '../../packages/shown-upgrades/list.ts';
import { ASK_PATH, FILES_PATH, PROJECT_FILES_PATH, whatsChangedPath } from '../links.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';

// A script shows below the field what is known of the text while it is typed, and takes a file that is dropped on the page.
export function askField(examples: readonly ShownUpgrade[]): Html {
  const placeholder = examples[0] ? typedWithVersion(examples[0]) : 'package and version';
  return html`<form class="ask" data-form="ask" data-drop="${FILES_PATH}" action="${ASK_PATH}" role="search" aria-label="Ask"><label for="q">A package, a package and version, a repository, or drop your lockfile here</label><div class="ask-line"><div class="searchbox big">${icon('search')}<input class="input mono" id="q" name="q" type="search" maxlength="500" placeholder="${placeholder}" autocomplete="off" autocapitalize="off" spellcheck="false" autofocus></div><button class="btn primary" type="submit">Ask</button></div><div class="said" role="status" data-said hidden></div><p class="ask-drop">No lockfile at hand to drop? <a href="${PROJECT_FILES_PATH}">Choose a file or paste it</a>. Only names and versions are read.</p></form>${exampleChips(examples)}`;
}

// Of what is known here: one with the version in use, another one with both, and a whole project.
function exampleChips([first, second]: readonly ShownUpgrade[]): Html {
  const one = first ? chip({ ...first, to: 'latest' }, typedWithVersion(first), 'one package') : '';
  const two = second ? chip(second, `${typedWithVersion(second)} ${second.to}`, 'two versions') : '';
  return html`<p class="asks"><span class="sr">Examples:</span>${one}${two}<a href="${PROJECT_FILES_PATH}"><b>package-lock.json</b><span class="muted">a whole project</span></a></p>`;
}

type Asked = Pick<ShownUpgrade, 'ecosystem' | 'name' | 'from' | 'to'>;

function chip({ ecosystem, name, from, to }: Asked, text: string, words: string): Html {
  return html`<a href="${whatsChangedPath({ package: name, from, to, ecosystem })}"><b>${text}</b><span class="muted">${words}</span></a>`;
}

function typedWithVersion({ name, from }: ShownUpgrade): string {
  return `${name} ${from}`;
}
