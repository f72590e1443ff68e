// Grades by key; what is not listed is worth nothing.
export type Grades = ReadonlyMap<string, number>;

// Discounted gain of the first `k` places, as a share of the best possible.
export function ndcg(ranked: readonly string[], grades: Grades, k: number): number {
  const gains = ranked.slice(0, k).map((key) => grades.get(key) ?? 0);
  const best = [...grades.values()].sort((a, b) => b - a).slice(0, k);
  const ideal = discounted(best);
  return ideal === 0 ? 0 : discounted(gains) / ideal;
}

function discounted(grades: readonly number[]): number {
  return grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}

// The share of what is relevant among the first `k` places; of more than `k` relevant ones, all `k` places count.
export function recall(ranked: readonly string[], grades: Grades, k: number): number {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([key]) => key);
  const found = ranked.slice(0, k).filter((key) => relevant.includes(key));
  return relevant.length === 0 ? 0 : found.length / Math.min(k, relevant.length);
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
