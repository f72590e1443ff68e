// A summary of a period in parts: its opening sentence and its statements, each with the version that it names.

export interface SummaryStatement {
  text: string;
  version: string | null;
}

interface SummaryParts {
  opening: string;
  statements: SummaryStatement[];
}

const OPENING = /^(?<count>\d+) releases?(?:: (?<versions>[^\n]{1,200}?))?\. (?=\S)/;
const NAMED = / \((?<version>[^()\s]{1,100}(?: [^()\s]{1,100})?)\)$/;

// Null for a text that was written in another form, which is shown as it is.
export function summaryParts(summary: string): SummaryParts | null {
  const opening = OPENING.exec(summary);
  if (!opening) return null;
  const only = opening.groups?.count === '1' ? (opening.groups.versions ?? null) : null;
  const statements = summary
    .slice(opening[0].length)
    .replace(/\.$/, '')
    .split('; ')
    .map((statement): SummaryStatement => {
      const named = NAMED.exec(statement);
      return named
        ? { text: statement.slice(0, named.index), version: named.groups?.version ?? null }
        : { text: statement, version: only };
    })
    .filter(({ text }) => text !== '');
  return { opening: opening[0].trim(), statements };
}
