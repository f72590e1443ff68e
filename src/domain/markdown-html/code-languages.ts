// The languages that code is highlighted in. Each is a regular expression of its tokens, with a named group for each kind of
// token. A string or comment without an end reaches to the end of the code, so that the search stays linear.

export interface Language {
  tokens: RegExp;
  keywords: ReadonlySet<string>;
  // Whether keywords are written in either case.
  ignoresCase?: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const DOUBLE = String.raw`(?<string1>"(?:[^"\\\n]|\\.)*"?)`;
const SINGLE = String.raw`(?<string2>'(?:[^'\\\n]|\\.)*')`;
const BACKTICK = '(?<string3>`(?:[^`\\\\]|\\\\[\\s\\S])*`?)';
const TRIPLE = String.raw`(?<string4>"""[\s\S]*?(?:"""|(?![\s\S]))|'''[\s\S]*?(?:'''|(?![\s\S])))`;
const WORD = String.raw`(?<word>[A-Za-z_$@][\w$]*)`;
const NUMBER = String.raw`(?<number>\b\d[\w.]*)`;
const SLASHES = String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))`;
const HASH = String.raw`(?<comment>(?<=^|\s)#[^\n]*)`;
const DASHES = String.raw`(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))`;

const tokens = (...parts: string[]): RegExp => new RegExp(parts.join('|'), 'gm');

const C_WORDS = `abstract as async await boolean break case catch char class const continue debugger default defer del
delete do double else enum export extends extern false final finally float fn for foreach from func function get go goto
if impl implements import in instanceof int interface is let long loop match mod module move mut namespace new nil none
null number object of operator override package private protected pub public readonly record ref return self set short
static str string struct super switch template this throw throws trait true try type typedef typeof undefined union
unsafe use using val var virtual void volatile when where while with yield`;
const PYTHON_WORDS = `and as assert async await break case class continue def del elif else except False finally for from
global if import in is lambda match None nonlocal not or pass raise return self True try while with yield`;
const RUBY_WORDS = `alias and begin break case class def defined do else elsif end ensure false for if in module next nil
not or redo rescue retry return self super then true undef unless until when while yield require`;
const SHELL_WORDS = `if then else elif fi for in do done case esac while until function return export local set unset
source sudo cd echo exit`;
const SQL_WORDS = `select from where insert into values update set delete create table alter drop index view join left right
inner outer on and or not null is in as order by group having limit offset union all distinct primary key references
default unique constraint add column begin commit rollback with case when then else end exists between like true false`;

const C_LIKE: Language = { tokens: tokens(SLASHES, DOUBLE, SINGLE, BACKTICK, WORD, NUMBER), keywords: words(C_WORDS) };
const PYTHON: Language = { tokens: tokens(HASH, TRIPLE, DOUBLE, SINGLE, WORD, NUMBER), keywords: words(PYTHON_WORDS) };
const RUBY: Language = { tokens: tokens(HASH, DOUBLE, SINGLE, WORD, NUMBER), keywords: words(RUBY_WORDS) };
const SHELL: Language = {
  tokens: tokens(HASH, DOUBLE, SINGLE, String.raw`(?<number>\$\w+|\$\{[^}\n]*\}?)`, String.raw`(?<word>[\w-]+)`),
  keywords: words(SHELL_WORDS),
};
const SQL: Language = {
  tokens: tokens(DASHES, DOUBLE, SINGLE, WORD, NUMBER),
  keywords: words(SQL_WORDS),
  ignoresCase: true,
};
const JSON_TEXT: Language = {
  tokens: tokens(
    SLASHES,
    String.raw`(?<key>"(?:[^"\\\n]|\\.){0,200}"(?=\s{0,20}:))`,
    DOUBLE,
    WORD,
    String.raw`(?<number>-?\b\d[\w.+-]*)`,
  ),
  keywords: words('true false null'),
};
const KEYED: Language = {
  tokens: tokens(
    HASH,
    String.raw`^[ \t]{0,80}(?:-[ \t]{1,10})?(?<key>[\w."'/@-]{1,80})(?=[ \t]{0,20}[:=])`,
    String.raw`(?<key2>^\[\[?[^\]\n]{1,200}\]\]?)`,
    DOUBLE,
    SINGLE,
    WORD,
    NUMBER,
  ),
  keywords: words('true false null yes no on off'),
};
const MARKUP: Language = {
  tokens: tokens(
    String.raw`(?<comment><!--[\s\S]*?(?:-->|(?![\s\S])))`,
    String.raw`(?<key><\/?[A-Za-z][\w:.-]*|\/?>)`,
    String.raw`(?<==)(?<string1>"[^"\n]*"?|'[^'\n]*'?)`,
  ),
  keywords: new Set(),
};
const CSS: Language = {
  tokens: tokens(SLASHES, DOUBLE, SINGLE, String.raw`(?<key>[\w-]+(?=[ \t]{0,20}:)|@[\w-]+)`, NUMBER),
  keywords: new Set(),
};

const LANGUAGES = new Map<string, Language>(
  (
    [
      [
        C_LIKE,
        'js jsx mjs cjs javascript ts tsx typescript java c h cpp cc c++ cs csharp go golang rust rs swift kotlin kt',
      ],
      [C_LIKE, 'scala dart php groovy proto protobuf graphql solidity zig vue svelte objc'],
      [PYTHON, 'py python python3 pycon'],
      [RUBY, 'rb ruby elixir ex exs crystal'],
      [SHELL, 'sh bash shell zsh fish console shellsession powershell ps1 dockerfile docker make makefile'],
      [SQL, 'sql pgsql postgresql mysql sqlite'],
      [JSON_TEXT, 'json json5 jsonc jsonl'],
      [KEYED, 'yaml yml toml ini cfg conf properties env hcl terraform tf'],
      [MARKUP, 'html xml svg xhtml plist'],
      [CSS, 'css scss sass less'],
    ] as const
  ).flatMap(([language, names]) => names.split(' ').map((name) => [name, language])),
);

// The language of an info string or a class name; undefined when it is not known.
export function languageOf(name: string): Language | undefined {
  return LANGUAGES.get(name.toLowerCase());
}
