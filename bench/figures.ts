export interface Figure {
  name: string;
  value: number;
  unit: string;
  // The target in words, and whether it holds; null for what was not measured, which the detail explains.
  target: string;
  holds: boolean | null;
  // What the value was measured against, for the reader.
  detail: string;
}

export function printFigures(figures: readonly Figure[]): void {
  console.table(
    figures.map(({ name, value, unit, target, holds, detail }) => ({
      what: name,
      value: holds === null ? '' : `${value.toFixed(2)} ${unit}`,
      target,
      holds: holds === null ? '' : holds ? 'yes' : 'NO',
      detail,
    })),
  );
}

// A part that needs what this machine does not have; it counts neither as held nor as failed.
export function notMeasured(name: string, reason: string): Figure {
  return { name, value: 0, unit: '', target: '', holds: null, detail: `not measured: ${reason}` };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
