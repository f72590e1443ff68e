// Forms of code that notes say have changed, by their code marks: a call of a member, a call with a certain text, a text with a
// pattern. They are what to look for in a project, never a proof: a member of the same name may be another's.

export interface CodeForm {
  // As the notes write it.
  text: string;
  // A member that is called; null for a text in whatever call.
  member: string | null;
  // What the notes call the thing whose member it is.
  of: string | null;
  // The text that is given.
  given: string | null;
  // A pattern that a given text has, in which names stand for any.
  pattern: string | null;
  // It concerns calls without a function behind the last comma.
  lacksCallback: boolean;
}

const MARK = /(`{1,2})([^`\n]{1,120})\1/g;
// What stands behind these words takes the place of what has changed.
const REPLACEMENT =
  /\b(?:(?:please |explicitly |now )?use|using|replaced? (?:by|with)|in favou?r of|switch(?:ed)? to|migrate to|renamed? to|changed? to|becomes?|should be|must be written)\b|→|->|=>/i;
const INSTEAD_OF = /\b(?:instead of|rather than|in place of|no longer)\b/i;
const CALLBACK = /\b(?:requires?|needs?|takes?|expects?|must (?:be given|have|provide))\b[^.]{0,40}\bcallback\b/i;
const MAX_FORMS = 8;

const CALL =
  /^(?:new\s+)?(?:([A-Za-z_$][\w$.]*?)(?:\([^()]*\))?)?\s*(?:\.|#|::)([A-Za-z_$][\w$]{1,60})\(([^()]{0,60})\)$/;
const QUOTED = /^(['"])([^'"\n]{1,60})\1$/;
// `:name?`, `/path/*`: marks of a route, with at least one sign that is no part of a name.
const ROUTE = /^[:/][\w:/.-]*[*?+(){}|\\][\w:/.*?+(){}|\\-]*$/;

export function formsInNote(text: string): CodeForm[] {
  const lacksCallback = CALLBACK.test(text);
  const forms = changedMarks(text).flatMap((mark): CodeForm[] => {
    const none = { text: mark, member: null, of: null, given: null, pattern: null, lacksCallback: false };
    const call = CALL.exec(mark);
    if (call) {
      const [, of = '', member = '', inside = ''] = call;
      const given = QUOTED.exec(inside.trim())?.[2] ?? null;
      const owner = of === '' ? null : of.slice(of.lastIndexOf('.') + 1);
      return [{ ...none, member, of: owner, given, lacksCallback }];
    }
    const quoted = QUOTED.exec(mark)?.[2];
    if (quoted !== undefined && (!/^\w+$/.test(quoted) || quoted.length > 2)) return [{ ...none, given: quoted }];
    if (mark === '*') return [{ ...none, pattern: '*' }];
    return ROUTE.test(mark) ? [{ ...none, pattern: mark }] : [];
  });
  const byMeaning = new Map(forms.toReversed().map((form) => [meaningOf(form), form]));
  return [...byMeaning.values()].toReversed().slice(0, MAX_FORMS);
}

// The same call may stand with and without its arguments.
function meaningOf({ member, of, given, pattern }: CodeForm): string {
  return [member, of, given, pattern].join('\n');
}

// The code marks of what was, without those of what takes its place.
function changedMarks(text: string): string[] {
  const replaced = REPLACEMENT.exec(text);
  const instead = INSTEAD_OF.exec(text);
  const marks = [...text.matchAll(MARK)].map((one) => ({ at: one.index, mark: (one[2] ?? '').trim() }));
  const before = replaced ? marks.filter(({ at }) => at < replaced.index) : marks;
  // "Use `b` instead of `a`" names what was at its end.
  const chosen = before.length === 0 && instead ? marks.filter(({ at }) => at > instead.index) : before;
  return chosen.map(({ mark }) => mark);
}
