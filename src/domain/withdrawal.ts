// Releases that their author has taken back: a `[YANKED]` heading, or a release that has gone from a complete listing. They
// leave feeds and search, but stay in version ranges, because what they changed stays changed.

// The reasons by which a source withdraws a release.
export const WITHDRAWAL_REASONS = ['yanked', 'withdrawn'] as const;

interface Suppression {
  suppressed_by: string | null;
  suppressed_reason: string | null;
}

// A release that an operator has suppressed is hidden, whatever reason the operator gave.
export function isWithdrawn({ suppressed_by, suppressed_reason }: Suppression): boolean {
  return suppressed_by === 'source' && WITHDRAWAL_REASONS.some((reason) => reason === suppressed_reason);
}
