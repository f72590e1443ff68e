// Any address of the web. The library has one too, but making it takes a second and a half, for the path alone.
import fc from 'fast-check';

const part = fc.string({
  unit: fc.constantFrom(..."abZ09-._~!$&'()*+,;=:@", '%20', '%2F', '%C3%A9', '%e2'),
  maxLength: 12,
});

export const anyUrl = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.domain(),
    port: fc.option(fc.nat(65_535)),
    path: fc.array(part, { maxLength: 5 }),
    query: fc.option(part),
    fragment: fc.option(part),
  })
  .map(({ scheme, host, port, path, query, fragment }) => {
    const ends = `${query === null ? '' : `?${query}`}${fragment === null ? '' : `#${fragment}`}`;
    return `${scheme}://${host}${port === null ? '' : `:${port}`}${path.map((one) => `/${one}`).join('')}${ends}`;
  });
