// A statement with values, as the driver sends it, whose rows become objects of one shape. Once a connection knows the columns
// of a prepared statement, the server does not describe them again: for rows of many columns that takes longer than
// finding them.
import pg from 'pg';
import { rowShape } from '../row-shape.ts';

type Texts = (string | null)[];
type RowReader = (texts: Texts) => unknown;

interface Field {
  name: string;
  dataTypeID: number;
  format: 'text' | 'binary';
}

// What the driver does not declare.
interface DriverQuery {
  name: string | undefined;
  callback: (error: Error | null, result: pg.QueryResult) => void;
  _result: { rows: unknown[]; _types: pg.CustomTypesConfig };
  _canceledDueToError: unknown;
  prepare(connection: object): void;
  handleRowDescription(message: { fields: Field[] }): void;
  handleDataRow(message: { fields: Texts }): void;
}

const DriverQuery = pg.Query as unknown as new (config: pg.QueryConfig) => DriverQuery;

// The readers of the prepared statements of one connection, by name.
export type KnownRows = Map<string, RowReader>;

export class RowQuery extends DriverQuery {
  readonly #known: KnownRows;
  #read: RowReader | undefined;

  constructor(config: pg.QueryConfig, known: KnownRows) {
    super(config);
    this.#known = known;
  }

  // The first use of a name is described; those that are sent before its answer has come, too.
  override prepare(connection: object): void {
    this.#read = this.name === undefined ? undefined : this.#known.get(this.name);
    super.prepare(this.#read ? withoutDescriptions(connection) : connection);
  }

  override handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#read = readerOf(fields, this._result._types);
    if (this.name !== undefined) this.#known.set(this.name, this.#read);
  }

  override handleDataRow({ fields }: { fields: Texts }): void {
    if (this._canceledDueToError) return;
    try {
      this._result.rows.push(this.#read?.(fields));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }
}

const TEXT = 25;

// Most columns are texts, and they need no parser.
function readerOf(fields: readonly Field[], types: pg.CustomTypesConfig): RowReader {
  const toObject = rowShape(fields.map(({ name }) => name));
  const plain = types.getTypeParser(TEXT, 'text');
  const parsed = fields.flatMap(({ dataTypeID, format }, at) => {
    const parse = types.getTypeParser(dataTypeID, format);
    return parse === plain ? [] : [{ at, parse }];
  });
  return (texts) => {
    const values: unknown[] = texts;
    for (const { at, parse } of parsed) {
      const text = texts[at];
      if (text !== null) values[at] = parse(text);
    }
    return toObject(values);
  };
}

const silent = new WeakMap<object, object>();

// The connection as the driver uses it, except that it never asks for a description.
function withoutDescriptions(connection: object): object {
  const known = silent.get(connection);
  if (known) return known;
  const made = Object.create(connection, { describe: { value: () => {} } });
  silent.set(connection, made);
  return made;
}
