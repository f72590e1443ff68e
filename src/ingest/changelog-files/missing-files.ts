// A file that a tree lacks is remembered as missing; the second complete tree a day later removes it.

interface MissingPlan {
  // Stored, and missing for long enough.
  remove: string[];
  // Missing for the first time.
  mark: string[];
  // There again.
  unmark: string[];
}

const DAY_MS = 86_400_000;

interface MissingInput {
  stored: readonly string[];
  present: ReadonlySet<string>;
  // The times at which a complete tree first lacked a file, by path.
  marks: ReadonlyMap<string, string>;
  now: Date;
}

export function planMissing({ stored, present, marks, now }: MissingInput): MissingPlan {
  const missing = stored.filter((path) => !present.has(path));
  const isOld = (path: string) => {
    const since = marks.get(path);
    return since !== undefined && now.getTime() - Date.parse(since) >= DAY_MS;
  };
  return {
    remove: missing.filter(isOld),
    mark: missing.filter((path) => !marks.has(path)),
    unmark: [...marks.keys()].filter((path) => !missing.includes(path) || isOld(path)),
  };
}
