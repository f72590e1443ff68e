// What a condition of a branch is at run time on a Python of today, as far as its text says that.

const NEWEST_MINOR = 14;
const MAX_LENGTH = 500;

// `types`: only checkers of types go there.
export function branchOf(condition: string): 'taken' | 'not_taken' | 'types' | 'unknown' {
  if (condition.length > MAX_LENGTH) return 'unknown';
  const text = condition
    .replace(/\s+/g, ' ')
    .replace(/^\((.*)\)$/, '$1')
    .trim();
  const [, negated] = /^not (.+)$/.exec(text) ?? [];
  if (negated !== undefined) {
    const inner = branchOf(negated);
    if (inner === 'unknown') return 'unknown';
    return inner === 'taken' ? 'not_taken' : 'taken';
  }
  if (/^(?:[\w.]+\.)?TYPE_CHECKING$|^(?:False|0|MYPY)$/.test(text)) return 'types';
  // A module that is imported is not the program.
  if (/^__name__ ==/.test(text)) return 'not_taken';
  if (/^(?:[\w.]+\.)?_?(?:is_)?PY_?2\d?$/i.test(text)) return 'not_taken';
  if (/^(?:[\w.]+\.)?_?(?:is_)?PY_?3$/i.test(text) || /^(?:True|1)$/.test(text)) return 'taken';
  return byVersion(text);
}

function byVersion(text: string): 'taken' | 'not_taken' | 'unknown' {
  const match =
    /^(?:[\w]+\.)?version_info(?:\[(?:0|:\s*\d)\]|\.major)? (>=|<=|==|!=|<|>) \(?(\d+)(?:, (\d+))?[\d, ]*\)?$/.exec(
      text.replace(/\s*(>=|<=|==|!=|<|>)\s*/, ' $1 ').replace(/\s*,\s*/g, ', '),
    );
  if (match === null) return 'unknown';
  const [, sign = '', major, minor] = match;
  const asked = Number(major) * 100 + Number(minor ?? 0);
  const here = 300 + (minor === undefined && /^[=!]/.test(sign) ? 0 : NEWEST_MINOR);
  const holds = {
    '>=': here >= asked,
    '>': here > asked,
    '<': here < asked && minor !== undefined ? true : 300 < asked,
    '<=': here <= asked,
    '==': here === asked,
    '!=': here !== asked,
  }[sign];
  if (holds === undefined) return 'unknown';
  return holds ? 'taken' : 'not_taken';
}
