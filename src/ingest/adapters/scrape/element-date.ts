// The date that a part of a page states about itself.
import { type Element, isText } from 'domhandler';
import { type DateReading, findDate, readDate } from '../../../domain/dates/index.ts';
import { elementsOf, isRemoved, tagName } from '../../../domain/html/elements.ts';
import { leadText, shortText } from './nodes.ts';
import type { PageDocument } from './page-document.ts';

interface ElementDate {
  reading: DateReading;
  // The element that holds nothing but the date, when there is one.
  element: Element | null;
}

const MAX_DATE_LENGTH = 60;
const LEAD = 400;
// Dates are looked for in so many parts at the beginning of an element.
const MAX_PARTS = 300;
const LEADING_WORD = /^(?:released|published|posted|updated|date)(?: on)?:? /i;

// A `time` element first, then an element that is a date and nothing else, then the first date in the text.
export function elementDate(page: PageDocument, element: Element): ElementDate | null {
  let stated: ElementDate | null = null;
  for (const part of elementsOf([element], isRemoved).take(MAX_PARTS)) {
    const reading = isDateElement(part) ? dateOf(page, part) : null;
    if (reading) return { reading, element: part };
    if (stated === null && part !== element && holdsWords(part)) {
      const whole = wholeDate(page, part);
      if (whole) stated = { reading: whole, element: part };
    }
  }
  if (stated) return stated;
  const found = findDate(leadText([element], LEAD), page.dates);
  return found && { reading: { at: found.at, precision: found.precision }, element: null };
}

// The date that an element is, `Released on` aside.
export function wholeDate(page: PageDocument, element: Element): DateReading | null {
  const text = shortText(element, MAX_DATE_LENGTH)?.replace(LEADING_WORD, '');
  return text === undefined ? null : readDate(text, page.dates);
}

function isDateElement({ name, attribs }: Element): boolean {
  return name === 'time' || /\bdatePublished\b/.test(attribs.itemprop ?? '');
}

function dateOf(page: PageDocument, element: Element): DateReading | null {
  for (const text of [element.attribs.datetime, element.attribs.content, shortText(element, MAX_DATE_LENGTH)]) {
    const reading = text ? readDate(text, page.dates) : null;
    if (reading) return reading;
  }
  return null;
}

export function holdsTime(element: Element): boolean {
  for (const part of elementsOf([element], isRemoved).take(MAX_PARTS)) {
    if (tagName(part) === 'time' || isDateElement(part)) return true;
  }
  return false;
}

// Only elements with text of their own can be a date; wrappers around them are skipped.
function holdsWords({ children }: Element): boolean {
  return children.some((child) => isText(child) && /\S/.test(child.data));
}
