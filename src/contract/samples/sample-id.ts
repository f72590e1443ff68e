// Ids in the examples: a prefix and one fixed body.

const BODY = '7QmZ4tKdXwRv2BnYc8LhA';

export const sampleId = (prefix: string) => `${prefix}_${BODY}`;
