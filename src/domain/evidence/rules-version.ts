// Raised whenever the same packages may give other findings.
export const RULES_VERSION = 1;
