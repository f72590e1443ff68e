// Grades by key; a missing key has grade 0.
export type Grades = ReadonlyMap<string, number>;

// The normalized discounted cumulative gain of the first `k` results.
export function ndcg(ranked: readonly string[], grades: Grades, k: number): number {
  const gains = ranked.slice(0, k).map((key) => grades.get(key) ?? 0);
  const best = [...grades.values()].sort((a, b) => b - a).slice(0, k);
  const ideal = discounted(best);
  return ideal === 0 ? 0 : discounted(gains) / ideal;
}

function discounted(grades: readonly number[]): number {
  return grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}

// The share of relevant results among the first `k`; with more than `k` relevant ones, `k` is the total.
export function recall(ranked: readonly string[], grades: Grades, k: number): number {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([key]) => key);
  const found = ranked.slice(0, k).filter((key) => relevant.includes(key));
  return relevant.length === 0 ? 0 : found.length / Math.min(k, relevant.length);
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
