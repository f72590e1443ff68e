// Whether the releases of a source could be missing from a week because the source was not read during it.
interface ReadingRecord {
  // Monday 00:00 UTC and the Monday after it, as days.
  weekStart: string;
  weekEnd: string;
  // The log holds a check of this week that read the source, or one that failed.
  wasRead: boolean;
  hasFailed: boolean;
  // Time of the oldest check in the log; null: the registry never fetched the source, or the log was emptied.
  logBegins: string | null;
  // When the failure began that still lasts.
  failingSince: string | null;
  // Whether the schedule asks the source at all: every schedule has at least one check in seven days.
  isScheduled: boolean;
  now: string;
}

// Unread is what is known to be: the current failure covers the week, or all its checks failed, or it passed without a
// check that was due. Weeks from before the log are never called unread.
export function isUnreadWeek(record: ReadingRecord): boolean {
  const { weekStart, weekEnd, wasRead, hasFailed, logBegins, failingSince, isScheduled, now } = record;
  if (wasRead || weekStart > now) return false;
  if (failingSince !== null && failingSince <= weekStart) return true;
  const isOver = weekEnd <= now;
  if (!isOver) return false;
  return hasFailed || (isScheduled && logBegins !== null && logBegins < weekStart);
}
