export interface Figure {
  name: string;
  value: number;
  unit: string;
  // The target in words, and whether it holds.
  target: string;
  holds: boolean;
  // What the value was measured against, for the reader.
  detail: string;
}

export function printFigures(figures: readonly Figure[]): void {
  console.table(
    figures.map(({ name, value, unit, target, holds, detail }) => ({
      what: name,
      value: `${value.toFixed(2)} ${unit}`,
      target,
      holds: holds ? 'yes' : 'NO',
      detail,
    })),
  );
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
