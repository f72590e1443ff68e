// Migration notes as steps: a line each, without the marks of a list.
export function steps({ migrationNotes }: { migrationNotes: string | null }): string[] {
  return (migrationNotes ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim())
    .filter(Boolean);
}
