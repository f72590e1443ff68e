// Hints of the API in the words of a terminal: commands and flags instead of requests and parameters.

const SENTENCES: readonly [api: RegExp, terminal: string][] = [
  [
    /^The repository (\S+) is not tracked\. POST \/v1\/lookups .*$/,
    'The repository $1 is not tracked. An operator adds it: registry source add https://github.com/$1',
  ],
  [/ ?POST \/v1\/lookups for \S+ reads it now\./g, ''],
  [
    /an operator resumes it \(PATCH \/v1\/sources\/(\S+) with fetchPriority normal and isHidden false\)/g,
    'an operator resumes it (registry admin source edit $1 --fetch-priority normal)',
  ],
  [/ecosystem=(\w+) with package=owner\/repo/g, 'owner/repo with --ecosystem $1'],
  [/ecosystem=(\w+)/g, '--ecosystem $1'],
  [/Add org=<slug of the org>, or ask/g, 'Write it as org/source, or ask'],
  [/, as in from=(\S+)@1\.0\.0,/g, ', as in $1@1.0.0,'],
  [/(?<=; )from is exclusive/g, 'the first one is not counted'],
];

export function terminalHint(hint: string): string {
  return SENTENCES.reduce((text, [api, terminal]) => text.replace(api, terminal), hint).trim();
}
