// Whether notes name a break that a package shows. Generous: words that may mean it are taken as meaning it.
import type { Finding } from '../evidence/finding.ts';

const SWEEPING =
  /\b(?:all|every|any|previously|formerly|long|various|several|old|the|many|some|unused|internal|private)\b[^\n.]{0,40}\bdeprecat\w+|\b(?:remov\w+|drop\w*|delet\w+|clean\w*)\b[^\n.]{0,60}\b(?:deprecat\w+|legacy|internals?|unused|obsolete|apis?)\b|\brewr(?:ite|itten)\b/i;

const MARKS: Partial<Record<Finding['kind'], RegExp>> = {
  esm_only: /\besm\b|\bes ?modules?\b|\bcommon ?js\b|\bcjs\b|\brequire\b|\bimport only\b/i,
  engines_raised: /\bnode(?:\.?js)?\b|\bengines?\b|\bnpm\b/i,
  default_export_changed: /\bdefault\b|\bnamed exports?\b/i,
  subpath_removed: /\bexports?\b|\bdeep imports?\b|\bsub-?paths?\b|\bentry ?points?\b/i,
  became_type_only: /\btypes?[- ]only\b|\btype exports?\b/i,
  bin_removed: /\bcli\b|\bcommand(?: line)?\b|\bbin\b/i,
  peer_raised: /\bpeers?\b/i,
  peer_added: /\bpeers?\b/i,
};

// Prose may name `readSync` as the synchronous reader.
const TAKES_AWAY = /\b(?:remov|drop|gone|delet|no longer|renam|replac|instead|merg|mov|split|breaking)/i;
const LEAST_LETTERS = 4;

function isParaphrased(name: string, text: string): boolean {
  const parts = (name.split('.').at(-1) ?? '')
    .split(/(?<=[a-z\d])(?=[A-Z])|[_$]/)
    .map((part) => part.toLowerCase().slice(0, LEAST_LETTERS))
    .filter((part) => part.length >= 3);
  if (parts.length < 2) return false;
  return text
    .split('\n')
    .filter((line) => TAKES_AWAY.test(line))
    .some((line) => {
      const words = line.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
      return parts.every((part) => words.some((word) => word.startsWith(part)));
    });
}

const MAX_TEXT = 200_000;

export function isNamed(finding: Finding, notes: string): boolean {
  const text = notes.slice(0, MAX_TEXT);
  if (SWEEPING.test(text) || MARKS[finding.kind]?.test(text)) return true;
  if (isParaphrased(finding.name, text)) return true;
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []);
  const roads = [finding.name, finding.subpath, ...(finding.roads ?? []).map(({ name }) => name)];
  return roads.some((road) => {
    const parts = road.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
    const last = parts.at(-1);
    // `Options` of `Options.strict` is named by every text about options.
    return last !== undefined && last.length > 1 && words.has(last);
  });
}
