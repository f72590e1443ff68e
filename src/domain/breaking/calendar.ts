// What a package did over the years, by the dates of its releases: majors, breaks in between, floors of Node, and versions without notes.
// Times that nothing was compared in are told as such: they are not quiet.

interface DatedVersion {
  version: string;
  // Null where only a mirror tells it.
  date: string | null;
  noted: boolean;
}

export interface ComparedStep {
  from: string;
  to: string;
  proven: number;
  // The floor of Node that became true.
  node: string | null;
}

interface Mark {
  version: string;
  date: string;
}

export interface Calendar {
  first: string;
  last: string;
  majors: Mark[];
  // Proven in minors and patches.
  breaks: (Mark & { from: string })[];
  unnoted: Mark[];
  floors: (Mark & { node: string })[];
  // From one date to another.
  compared: { since: string; until: string }[];
}

// `rising` are the stable versions. Null where no two dates are known.
export function calendarOf(rising: readonly DatedVersion[], steps: readonly ComparedStep[]): Calendar | null {
  const dated = rising.flatMap(({ version, date, noted }) => (date === null ? [] : [{ version, date, noted }]));
  const dates = dated.map(({ date }) => date).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const dateOf = new Map(dated.map(({ version, date }) => [version, date]));
  const place = new Map(rising.map(({ version }, index) => [version, index]));
  const before = (version: string) => rising[(place.get(version) ?? 0) - 1]?.version;
  const at = (version: string) => {
    const date = dateOf.get(version);
    return date === undefined ? [] : [{ version, date }];
  };
  const single = steps.filter(({ from, to }) => before(to) === from);
  return {
    first,
    last,
    majors: rising.flatMap(({ version }, index) =>
      index > 0 && majorNumber(version) !== majorNumber(rising[index - 1]?.version) ? at(version) : [],
    ),
    breaks: single.flatMap(({ from, to, proven }) =>
      proven > 0 && majorNumber(from) === majorNumber(to) ? at(to).map((mark) => ({ ...mark, from })) : [],
    ),
    unnoted: dated.flatMap(({ version, date, noted }) => (noted ? [] : [{ version, date }])),
    floors: single.flatMap(({ to, node }) => (node === null ? [] : at(to).map((mark) => ({ ...mark, node })))),
    compared: joined(
      steps.flatMap(({ from, to }) => {
        const [since, until] = [dateOf.get(from), dateOf.get(to)];
        return since && until && since < until ? [{ since, until }] : [];
      }),
    ),
  };
}

export function majorNumber(version: string | undefined): string {
  return /^\D*(\d+)/.exec(version ?? '')?.[1] ?? '';
}

function joined(spans: readonly { since: string; until: string }[]): { since: string; until: string }[] {
  const whole: { since: string; until: string }[] = [];
  for (const span of [...spans].sort((one, other) => (one.since < other.since ? -1 : 1))) {
    const last = whole.at(-1);
    if (last && span.since <= last.until) last.until = span.until > last.until ? span.until : last.until;
    else whole.push({ ...span });
  }
  return whole;
}
