// What the notes of one field of software speak about. Grammar is part of the contract, so that any sentence frame fits
// any phrase: features are noun phrases used without a verb, parts are singular with their article, activities are
// gerunds, problems follow "Fixed", gains follow a singular subject and "now", launches are a title and its first
// sentence.
export interface Area {
  features: string[];
  parts: string[];
  activities: string[];
  problems: string[];
  gains: string[];
  settings: string[];
  commands: string[];
  launches: [title: string, lead: string][];
}

// Phrases between bars; line breaks of the source do not count.
export function phrases(text: string): string[] {
  return text
    .split('|')
    .map((phrase) => phrase.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean);
}
