const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;
// The three forms of RFC 9110 5.6.7: IMF-fixdate, RFC 850, asctime.
const FORMS = [
  String.raw`[a-z]{3}, (?<day>\d\d) (?<month>[a-z]{3}) (?<year>\d{4}) ${TIME} gmt`,
  String.raw`[a-z]{6,9}, (?<day>\d\d)-(?<month>[a-z]{3})-(?<year>\d\d) ${TIME} gmt`,
  String.raw`[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`, 'i'));

// `now` settles the century of a two-digit year: more than 50 years ahead means the past.
export function parseHttpDate(text: string, now: Date): Date | null {
  for (const form of FORMS) {
    const groups = form.exec(text.trim())?.groups;
    if (groups) return dateOf(groups, now);
  }
  return null;
}

function dateOf(groups: Record<string, string>, now: Date): Date | null {
  const [day, hour, minute, second] = ['day', 'hour', 'minute', 'second'].map((name) => Number(groups[name])) as [
    number,
    number,
    number,
    number,
  ];
  const month = MONTHS.indexOf(groups.month?.toLowerCase() ?? '');
  const year = fullYear(groups.year ?? '', now);
  if (month < 0 || hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(Date.UTC(year, month, day, hour, minute, second));
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999 and rolls impossible days over; both are refused.
  return date.getUTCFullYear() === year && date.getUTCMonth() === month ? date : null;
}

function fullYear(text: string, now: Date): number {
  if (text.length === 4) return Number(text);
  const century = Math.floor(now.getUTCFullYear() / 100) * 100;
  const year = century + Number(text);
  return year > now.getUTCFullYear() + 50 ? year - 100 : year;
}
