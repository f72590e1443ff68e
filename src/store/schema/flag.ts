// A boolean column: 0 or 1 on both engines.
export type Bit = number;
