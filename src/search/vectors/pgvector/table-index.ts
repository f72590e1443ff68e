// The index of one kind in a table of the database, which the worker fills. This process only reads it.
import { type RawBuilder, sql } from 'kysely';
import type { VectorHit } from '../../../domain/retrieval/retrievers.ts';
import type { Queries } from '../../../store/schema/index.ts';
import { allOf } from '../../filters/entry.ts';
import type { Neighbour } from '../index-thread/hnsw.ts';
import { type Bounds, type NearestQuery, nearestFirst, OVERSAMPLING, passed } from '../nearest/nearest.ts';
import { listingsOf, OWNERS, releaseConditions, sourceConditions } from '../nearest/newest.ts';
import { SERVES_FROM, type VectorIndex } from '../nearest/vector-index.ts';
import type { VectorRows } from '../nearest/vector-rows.ts';
import type { VectorExtension } from './extension.ts';
import { asVector, type IndexTable, readTable, tableName } from './tables.ts';

// The most that `hnsw.ef_search` takes.
const MAX_EXPANSION = 1_000;

interface TableIndexOptions {
  rows: VectorRows;
  extension: VectorExtension;
  changed: () => void;
}

export class TableIndex implements VectorIndex {
  readonly rows: VectorRows;
  readonly #extension: VectorExtension;
  readonly #changed: () => void;
  readonly #table: RawBuilder<unknown>;
  #progress: Pick<IndexTable, 'built' | 'vectors'> = { built: false, vectors: 0 };
  #missing = 0;

  constructor({ rows, extension, changed }: TableIndexOptions) {
    this.rows = rows;
    this.#extension = extension;
    this.#changed = changed;
    this.#table = sql.table(tableName(rows));
  }

  get size(): number {
    return this.#progress.vectors;
  }

  get missing(): number {
    return this.#missing;
  }

  get serves(): boolean {
    return this.#progress.built && this.size >= (this.size + this.#missing) * SERVES_FROM;
  }

  stop(): void {}

  async follow(): Promise<void> {
    const table = await readTable(this.rows.reader.db, this.rows);
    const before = JSON.stringify([this.#progress, this.#missing]);
    this.#progress = { built: table?.built ?? false, vectors: table?.vectors ?? 0 };
    this.#missing = table ? await this.#countMissing(table) : 0;
    if (JSON.stringify([this.#progress, this.#missing]) !== before) this.#changed();
  }

  // Up to the number with which the index no longer serves. A vector that only changed is not missing.
  async #countMissing({ seq, vectors }: IndexTable): Promise<number> {
    const { reader, space, kind } = this.rows;
    const most = Math.ceil(vectors / SERVES_FROM) - vectors + 1;
    const { rows } = await sql<{ missing: number }>`
      SELECT count(*) AS missing FROM (
        SELECT 1 FROM vectors v WHERE v.space = ${space} AND v.kind = ${kind} AND v.seq > ${seq} AND v.deleted = 0
          AND NOT EXISTS (SELECT 1 FROM ${this.#table} t WHERE t.key = v.key) LIMIT ${most}) m`.execute(reader.db);
    return Number(rows[0]?.missing ?? 0);
  }

  async passing(question: NearestQuery, { least, most }: Bounds): Promise<VectorHit[]> {
    if (question.kind === 'entity') return passed(this, question, await this.#neighbours(question.vector, most));
    const expansion = Math.min(MAX_EXPANSION, Math.max(least, Math.ceil(OVERSAMPLING * question.limit)));
    const hits = await this.#searchIndex(question, expansion);
    // Without scanning on, the filter is applied to as many neighbours as the index was asked for.
    const isEnough = this.#extension.scansOn || hits.length >= question.limit;
    return isEnough ? hits : this.#searchIndex(question, MAX_EXPANSION);
  }

  async compare(vector: Float32Array, keys: readonly number[]): Promise<Neighbour[]> {
    const { db, dialect } = this.rows.reader;
    const { rows } = await sql<Distant>`
      SELECT t.key, t.embedding <=> ${asVector(vector)} AS distance FROM ${this.#table} t
      WHERE ${dialect.amongKeys('t.key', keys)}`.execute(db);
    return rows.map(toNeighbour);
  }

  async #neighbours(vector: Float32Array, most: number): Promise<Neighbour[]> {
    const { rows } = await sql<Distant>`
      SELECT t.key, t.embedding <=> ${asVector(vector)} AS distance FROM ${this.#table} t
      ORDER BY distance LIMIT ${most}`.execute(this.rows.reader.db);
    return rows.map(toNeighbour).sort(nearestFirst);
  }

  async #searchIndex(question: NearestQuery, expansion: number): Promise<VectorHit[]> {
    const statement = this.#passingStatement(question);
    const { rows } = await this.rows.reader.db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        await this.#prepare(tx, expansion);
        return statement.execute(tx);
      });
    return rows.map(({ ref, ...row }) => ({ ...toNeighbour(row), ref: String(ref) })).sort(nearestFirst);
  }

  // Settings until the end of the transaction. A filter that few pass never comes here, so the index is always faster than
  // sorting all that pass, whatever the planner expects of the filter.
  async #prepare(tx: Queries, expansion: number): Promise<void> {
    const settings = [
      sql`set_config('hnsw.ef_search', ${String(expansion)}, true)`,
      sql`set_config('enable_sort', 'off', true)`,
      ...(this.#extension.scansOn ? [sql`set_config('hnsw.iterative_scan', 'relaxed_order', true)`] : []),
    ];
    await sql`SELECT ${sql.join(settings)}`.execute(tx);
  }

  #passingStatement(question: NearestQuery): RawBuilder<Distant & { ref: string | number }> {
    const distance = sql`t.embedding <=> ${asVector(question.vector)} AS distance`;
    const nearest = sql`ORDER BY distance LIMIT ${question.limit}`;
    if (question.kind === 'release') {
      return sql`SELECT t.key, r.id AS ref, ${distance} FROM ${this.#table} t JOIN releases r ON r.seq = t.key
        WHERE r.listing IN (${sql.join(listingsOf(question.filter))}) AND ${allOf(releaseConditions(question))} ${nearest}`;
    }
    return sql`SELECT t.key, t.key AS ref, ${distance} FROM ${this.#table} t JOIN changelog_chunks c ON c.seq = t.key
      JOIN sources s ON s.id = c.source_id ${OWNERS} WHERE ${allOf(sourceConditions(question))} ${nearest}`;
  }
}

interface Distant {
  key: number;
  distance: number;
}

function toNeighbour({ key, distance }: Distant): Neighbour {
  return { key, cosine: 1 - distance };
}
