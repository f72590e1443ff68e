// Names of an interface (options, methods, classes) that are written without a code span.
import { CODE_CLOSE, CODE_OPEN } from './code-marks.ts';

// Only sentences with one of these words can be about a name that is gone, changed or new.
const WORTH_MARKING = /remov|delet|drop|renam|export|no longer|deprecat|replac|\bmov|chang|\bnow\b|default/i;
const MOST_NAMES = 40;

// `--flag`, UPPER_CASE, camelCase, PascalCase of two humps, dotted.names, Class#member and scope::name.
const NAME =
  /(?<![\w.@/#$-])(?:--[a-z][\w-]{1,40}|[A-Za-z][\w-]{1,30}--[\w-]{1,30}|[A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,40}|[a-z_$][a-z0-9]{0,30}[A-Z]\w{0,60}|[A-Z][a-z0-9]{1,30}[A-Z]\w{0,60}|[A-Z]{2,10}[a-z]{1,30}[A-Z]\w{0,60}|[A-Za-z_$][\w$]{0,40}(?:(?:\.|#|::)[A-Za-z_$][\w$]{0,40}){1,6})(?:\(\))?(?![\w/@-])/g;

// Products and tools whose names are written like those of an interface.
const PRODUCTS = new Set(
  `github gitlab gitter javascript typescript coffeescript livescript nodejs reactjs vuejs angularjs emberjs phantomjs
  requirejs commonjs systemjs slimerjs mongodb mysql postgresql mariadb couchdb pouchdb indexeddb websql sqlite openssl
  webpack eslint tslint jshint jslint jscs jsdoc tsdoc jsdelivr appveyor travisci circleci saucelabs browserstack
  codecov codeql dependabot greenkeeper lgtm macos ipados ios tvos watchos freebsd openbsd netbsd webkit chromeos
  jquery devops graphql opentelemetry javadoc opengl webgl webgpu websocket websockets oauth youtube linkedin
  stackoverflow stackblitz codesandbox codepen jsfiddle jsbin jsperf npmjs cdnjs unpkg vscode webstorm intellij
  phpstorm readme changelog esnext opencollective sourcemaps devdependencies peerdependencies optionaldependencies`
    .split(/\s+/)
    .filter(Boolean),
);
// Objects of the platform, which are part of no project's interface.
const PLATFORM =
  /^(?:process|console|window|document|navigator|global|globalThis|Object|Math|JSON|Array|String|Number|Promise|Symbol|Date|Function|Error|Buffer|module|exports|require|Reflect|React|ReactDOM|findDOMNode|addEventListener|removeEventListener|setTimeout|setImmediate|requestAnimationFrame|hasOwnProperty|innerHTML|querySelector|createElement|isArray|forEach)(?:\.|\(|$)/;
// File names, hosts and abbreviations are written with dots too.
const NO_NAME =
  /\.(?:js|jsx|mjs|cjs|ts|tsx|json|ya?ml|md|css|scss|less|html?|xml|txt|gz|zip|exe|dll|lock|toml|com|org|net|io|dev|app|ai|h|c|cc|cpp|py|rb|sh|svg|png|bat|cmd|gypi?|mk|ini|cfg|conf|snap|map|vue|hbs|jade|pug)$|^(?:e\.g|i\.e|a\.k\.a|vs\.\w+|etc\.\w*|[A-Za-z]\.[A-Za-z])$/i;

// Puts such names between the delimiters of code spans, so that all other rules have to know one spelling only.
export function markNames(marked: string): string {
  if (!WORTH_MARKING.test(marked)) return marked;
  if (!marked.includes(CODE_OPEN)) return markPlain(marked);
  return marked
    .split(/(\uE000[^\uE000\uE001]*\uE001)/)
    .map((part) => (part.startsWith(CODE_OPEN) ? part : markPlain(part)))
    .join('');
}

function markPlain(text: string): string {
  let left = MOST_NAMES;
  return text.replace(NAME, (name) => {
    left -= 1;
    return left < 0 || isExcluded(name) ? name : CODE_OPEN + name + CODE_CLOSE;
  });
}

function isExcluded(name: string): boolean {
  return PRODUCTS.has(name.toLowerCase()) || PLATFORM.test(name) || NO_NAME.test(name);
}
