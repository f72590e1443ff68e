// A release as plain text: summary and link in the body, title and link in the headers that ntfy and others read.
import { cutWithMark, type ReleaseMessage } from './chat-message.ts';

const HEADER_MAX = 256;
// An encoded word has at most 75 characters, twelve of them around the base64 of 45 bytes.
const WORD_BYTES = 45;

export function plainHeaders({ context, title, link }: ReleaseMessage): Record<string, string> {
  const href = URL.parse(link)?.href;
  return {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Title': encodeHeader(cutWithMark(`${context}: ${title}`, HEADER_MAX)),
    ...(href === undefined ? {} : { 'X-Click': href }),
  };
}

export function plainBody({ title, summary, link }: ReleaseMessage): string {
  return `${summary ?? title}\n${link}\n`;
}

// Printable ASCII as it is, anything else as encoded words of RFC 2047, so that no text can end its header.
function encodeHeader(text: string): string {
  return /^[ -~]*$/.test(text) && !text.includes('=?') ? text : encodedWords(text).join(' ');
}

function encodedWords(text: string): string[] {
  const words: Buffer[] = [];
  let word = Buffer.alloc(0);
  // A word must not end within a character.
  for (const character of text) {
    const bytes = Buffer.from(character);
    if (word.length + bytes.length > WORD_BYTES) {
      words.push(word);
      word = Buffer.alloc(0);
    }
    word = Buffer.concat([word, bytes]);
  }
  return [...words, word].map((bytes) => `=?UTF-8?B?${bytes.toString('base64')}?=`);
}
