// Two hundred names and sentences of strangers that want to be a picture, a link, a mention, a reference or HTML: what they want
// to be, in what they hide it.
const WANTED = [
  '![x](http://evil.example/x.png)',
  '[x](http://evil.example/)',
  '<img src=http://evil.example/x>',
  '<a href="//evil.example">x</a>',
  '<b>x</b><!-- x -->',
  'http://evil.example/x',
  'HTTPS://evil.example/pull/1',
  'www.evil.example',
  'me@evil.example',
  '@team',
  '@acme/team',
  'fixes #1',
  'closes acme/lamp#2',
  'resolves GH-3',
  '![x][y]\n\n[y]: http://evil.example/x',
  '&lt;b&gt;&#60;i&#62;',
  '**x** _y_ ~~z~~ $1$',
  ':shipit:',
  '0123456789abcdef0123456789abcdef01234567',
  '| x | y |\n|---|---|\n| z | z |',
];

const HIDING: readonly ((wanted: string) => string)[] = [
  (wanted) => wanted,
  (wanted) => `\`\`${wanted}`,
  (wanted) => `|\`\`${wanted}\`|`,
  (wanted) => `\`|\`${wanted}\`|\``,
  (wanted) => `a\` ${wanted} \`b`,
  (wanted) => `\\${wanted}\\`,
  (wanted) => `\`\\\`${wanted}\\\``,
  (wanted) => `</b></details>\n\n# ${wanted}`,
  (wanted) => `- > 1. ${wanted}`,
  (wanted) => `x\u200b\n\n    ${wanted}\r\n***\n`,
];

export const STRANGE_NAMES = WANTED.flatMap((wanted) => HIDING.map((hidden) => hidden(wanted)));
