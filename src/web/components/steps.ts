// Migration notes as steps: one per line, without list markers.
export function steps({ migrationNotes }: { migrationNotes: string | null }): string[] {
  return (migrationNotes ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim())
    .filter(Boolean);
}
