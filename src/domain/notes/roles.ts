// Roles of reStructuredText and MyST in an entry: ":py:class:`~acme.Client`", "{pr}`12`", ":user:`kim`".

const ROLE = /(?<![\w`:])(?::(?:[a-z][a-z+-]{0,19}:){1,2}|\{[a-z][\w:+-]{0,29}\})`(~?)([^`]{1,200})`/gi;
const TARGET = /^(.{1,150}?) {0,2}<[^<>]{1,150}>$/;
const NUMBER = /(?:issue|pr|pull|gh|bug|ticket)s?[:}]/i;
const PERSON = /(?:user|gh-user|github-user)[:}]/i;

// A link: "`a guide <https://…>`_", "`issue 12`_".
const LINK = /`([^`<>]{1,150}?)(?: {0,2}<[^<>`]{1,200}>)?`__?(?![\w`])/g;
const NUMBERED = /^(?:issue|pull request|pull|pr|bug|ticket) #?(\d{1,7})$/i;

// The same text as other projects write it: links as their labels, references as "#12", people as "@kim", names of code in code spans.
export function withoutRoles(raw: string): string {
  const text = raw.includes('`_') ? raw.replace(LINK, (_, label: string) => label.replace(NUMBERED, '#$1')) : raw;
  if (!text.includes(':`') && !text.includes('}`')) return text;
  return text.replace(ROLE, (role: string, tilde: string, written: string) => {
    const label = TARGET.exec(written)?.[1] ?? written;
    const name = role.slice(0, role.indexOf('`'));
    if (NUMBER.test(name) && /^\d{1,7}$/.test(label)) return `#${label}`;
    if (PERSON.test(name)) return `@${label}`;
    if (/^[:{]cve/i.test(name)) return `CVE-${label.replace(/^CVE-/i, '')}`;
    if (/^[:{](?:doc|ref|term)/i.test(name)) return label;
    return `\`${tilde === '' ? label : label.slice(label.lastIndexOf('.') + 1)}\``;
  });
}
