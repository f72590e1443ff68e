// Image types are detected from the bytes and not from the content type. SVG is excluded, because it can hold script.
export const IMAGE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
} as const;

export type ImageExtension = keyof typeof IMAGE_TYPES;

const SIGNATURES: readonly [extension: ImageExtension, test: (bytes: Uint8Array) => boolean][] = [
  ['png', (bytes) => holds(bytes, '\x89PNG\r\n\x1a\n')],
  ['jpg', (bytes) => holds(bytes, '\xff\xd8\xff')],
  ['gif', (bytes) => holds(bytes, 'GIF87a') || holds(bytes, 'GIF89a')],
  ['webp', (bytes) => holds(bytes, 'RIFF') && holds(bytes, 'WEBP', 8)],
  ['avif', (bytes) => holds(bytes, 'ftypavif', 4) || holds(bytes, 'ftypavis', 4)],
];

// The file extension of an image; null when the bytes are no image of a known type.
export function imageExtension(bytes: Uint8Array): ImageExtension | null {
  return SIGNATURES.find(([, test]) => test(bytes))?.[0] ?? null;
}

function holds(bytes: Uint8Array, text: string, at = 0): boolean {
  return Buffer.from(text, 'latin1').equals(bytes.subarray(at, at + text.length));
}
