const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
const SEASON = /^(?:spring|summer|autumn|fall|winter)$/;

type PeriodWord = 'month' | 'season' | 'part' | 'year' | 'day';

// Which part of a date a lower-case word without outer punctuation is, if any.
export function periodWord(word: string): PeriodWord | null {
  if (MONTH.test(word)) return 'month';
  if (SEASON.test(word)) return 'season';
  if (/^(?:q[1-4]|h[12])$/.test(word)) return 'part';
  if (/^(?:(?:19|20|21)\d\d|['’]\d\d)$/.test(word)) return 'year';
  if (/^(?:[12]?\d|3[01])(?:st|nd|rd|th)?$/.test(word)) return 'day';
  return null;
}
