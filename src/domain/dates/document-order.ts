// Finds the order in which a document writes dates of three numbers, as far as its own dates prove it.

// Which part of a date such as `18/02/19` comes first.
export type DateOrder = 'day' | 'month' | 'year';

const TWO_PARTS_AND_YEAR = /(?<![\p{L}\p{N}./-])(\d{1,2})([-/.])(\d{1,2})\2\d{4}(?![\p{L}\p{N}])/gu;
const SHORT = /(?<![\p{L}\p{N}./-])(\d{1,2})\/(\d{1,2})\/(\d{2})(?![\p{L}\p{N}]|[/.-][\p{L}\p{N}])/gu;
const YEAR_FIRST = /(?<![\p{L}\p{N}./-])\d{4}\/\d{1,2}\/\d{1,2}(?![\p{L}\p{N}])/u;

// Whether a document puts the day first: one of its dates has a first part that can only be a day.
export function documentDayFirst(dates: readonly string[]): boolean {
  return dates.some((text) =>
    text.matchAll(TWO_PARTS_AND_YEAR).some(([, first, , second]) => Number(first) > 12 && Number(second) <= 12),
  );
}

// The only order in which all dates of a document that are written with three numbers are dates; null when several are
// left, or none. `18/02/19` alone leaves two, because 18 may be its day or its year.
export function documentDateOrder(dates: readonly string[]): DateOrder | null {
  const possible = new Set<DateOrder>(['day', 'month', 'year']);
  const narrowTo = (orders: Record<DateOrder, boolean>) => {
    for (const order of possible) if (!orders[order]) possible.delete(order);
  };
  for (const text of dates) {
    for (const [, first, , second] of text.matchAll(TWO_PARTS_AND_YEAR)) {
      const [a, b] = [Number(first), Number(second)];
      // Digits that are a date in neither order say nothing about the others.
      const orders = { day: isDay(a) && isMonth(b), month: isMonth(a) && isDay(b), year: false };
      if (orders.day || orders.month) narrowTo(orders);
    }
    for (const [, first, second, third] of text.matchAll(SHORT)) {
      const [a, b, c] = [Number(first), Number(second), Number(third)];
      const year = first?.length === 2 && isMonth(b) && isDay(c);
      const orders = { day: isDay(a) && isMonth(b), month: isMonth(a) && isDay(b), year };
      if (orders.day || orders.month || orders.year) narrowTo(orders);
    }
    if (YEAR_FIRST.test(text)) narrowTo({ day: false, month: false, year: true });
  }
  const [order = null, ...others] = possible;
  return others.length === 0 ? order : null;
}

function isMonth(number: number): boolean {
  return number >= 1 && number <= 12;
}

function isDay(number: number): boolean {
  return number >= 1 && number <= 31;
}
