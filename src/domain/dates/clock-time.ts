const MINUTE_MS = 60_000;

// Zone names with one common meaning, in minutes east of Greenwich. Any other name counts as UTC.
const ZONES: Readonly<Record<string, number>> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  WET: 0,
  WEST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  JST: 540,
};

const TIME =
  /(?:T|,?\s{1,3}(?:at\s{1,3})?)(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?:\s{0,2}(?<half>[ap])\.?m\b\.?)?/iy;
const ZONE =
  /\s{0,3}(?:(?:GMT|UTC)?(?<sign>[+-])(?<hours>\d{2}):?(?<minutes>\d{2})?(?!\d)|(?<name>[A-Z]{1,4})(?![A-Za-z0-9]))/y;

interface ClockTime {
  // Milliseconds to add to midnight UTC of the day as written.
  offset: number;
  end: number;
}

// The time of day that follows a date at `from`, with its zone; null when none is written there.
export function timeAt(text: string, from: number): ClockTime | null {
  TIME.lastIndex = from;
  const groups = TIME.exec(text)?.groups;
  if (!groups) return null;
  const hour = hourOfDay(Number(groups.hour), groups.half);
  const minute = Number(groups.minute);
  const second = Number(groups.second ?? 0);
  // 60 is a leap second; it counts as the last second of its minute.
  if (hour === null || minute > 59 || second > 60) return null;
  const millisecond = Number((groups.fraction ?? '').padEnd(3, '0').slice(0, 3));
  const zone = zoneAt(text, TIME.lastIndex);
  const clock = ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1000 + millisecond;
  return { offset: clock - zone.east * MINUTE_MS, end: zone.end };
}

function hourOfDay(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour > 23 ? null : hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function zoneAt(text: string, from: number): { east: number; end: number } {
  ZONE.lastIndex = from;
  const groups = ZONE.exec(text)?.groups;
  if (!groups) return { east: 0, end: from };
  const named = groups.name;
  if (named !== undefined) {
    const east = ZONES[named];
    return east === undefined ? { east: 0, end: from } : { east, end: ZONE.lastIndex };
  }
  const east = Number(groups.hours) * 60 + Number(groups.minutes ?? 0);
  return { east: groups.sign === '-' ? -east : east, end: ZONE.lastIndex };
}
