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
  // The begin of the failure that still lasts; null when the source can be read.
  failingSince: string | null;
  // Whether the source is polled at all; every schedule polls at least once in seven days.
  isScheduled: boolean;
  now: string;
}

// A week is unread when the current failure covers it, when all its checks failed, or when no check ran although one was
// due. Nothing is known of weeks before the log begins, so they are never reported as unread.
export function isUnreadWeek(record: ReadingRecord): boolean {
  const { weekStart, weekEnd, wasRead, hasFailed, logBegins, failingSince, isScheduled, now } = record;
  if (wasRead || weekStart > now) return false;
  if (failingSince !== null && failingSince <= weekStart) return true;
  const isOver = weekEnd <= now;
  if (!isOver) return false;
  return hasFailed || (isScheduled && logBegins !== null && logBegins < weekStart);
}
