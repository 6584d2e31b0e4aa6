import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

/**
 * The sandbox's storage of documents by kind and ID, each with an optional alarm. A write reaches the operating system
 * before the call returns, so ending the process never loses data.
 */
export type Store = {
  collection<Body>(kind: string): Collection<Body>
  /** Runs `work` as one transaction. Rolls back if it throws. Calls can be nested. */
  transaction<Result>(work: () => Result): Result
  close(): void
}

export type Collection<Body> = {
  get(id: string): Body | undefined
  /** Adds or replaces. `dueAt` sets the alarm, null removes it; if omitted, the alarm stays unchanged. */
  put(id: string, body: Body, dueAt?: Temporal.Instant | null): void
  remove(id: string): void
  /** Newest first; `before` and `after` are ids of the same collection. */
  list(page: { limit: number; before?: string | undefined; after?: string | undefined }): Body[]
  /** Returns every document with a field that equals `value`, oldest first, using an index. */
  listWhere(field: IndexedField, value: string): Body[]
  /** Newest first, from the one added before `before` where it is given, up to the first that is not `wanted`. */
  newestWhile(wanted: (body: Body) => boolean, before?: string): Body[]
  /** Returns the document with the earliest alarm at or before `now`. For equal alarms, returns the one added first. */
  nextDue(now: Temporal.Instant): { id: string; body: Body } | undefined
}

/** The indexed fields, by path in the document. */
const indexedFields = {
  orderId: '$.orderId',
  invoiceId: '$.unit.invoice_id',
  reference: '$.reference',
  transferGroup: '$.transfer_group',
  customerId: '$.customerId',
  methodCustomer: '$.method.customer',
  original: '$.original',
} as const
type IndexedField = keyof typeof indexedFields

function prepareStatements(db: DatabaseSync) {
  return {
    get: db.prepare('select body from document where kind = ? and id = ?'),
    put: db.prepare(`
      insert into document (kind, id, due_at, body) values (:kind, :id, :dueAt, :body)
      on conflict (kind, id) do update set body = excluded.body, due_at = iif(:keepsAlarm, due_at, excluded.due_at)`),
    remove: db.prepare('delete from document where kind = ? and id = ?'),
    seq: db.prepare('select seq from document where kind = ? and id = ?'),
    older: db.prepare('select body from document where kind = ? and seq < ? order by seq desc limit ?'),
    newer: db.prepare('select body from document where kind = ? and seq > ? order by seq limit ?'),
    nextDue: db.prepare('select id, body from document where kind = ? and due_at <= ? order by due_at, seq limit 1'),
  }
}

/** An index over an expression serves a statement that has the same one, with the path written out. */
function prepareLookups(db: DatabaseSync): Record<IndexedField, StatementSync> {
  const prepare = (field: IndexedField) => {
    const value = `body ->> '${indexedFields[field]}'`
    db.exec(`create index if not exists document_${field} on document (kind, ${value}) where ${value} is not null`)
    return db.prepare(`select body from document where kind = ? and ${value} = ? order by seq`)
  }
  return {
    orderId: prepare('orderId'),
    invoiceId: prepare('invoiceId'),
    reference: prepare('reference'),
    transferGroup: prepare('transferGroup'),
    customerId: prepare('customerId'),
    methodCustomer: prepare('methodCustomer'),
    original: prepare('original'),
  }
}

function createTable(db: DatabaseSync): void {
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = normal;
    pragma busy_timeout = 2000;
    create table if not exists document (
      seq integer primary key autoincrement,
      kind text not null,
      id text not null,
      due_at integer,
      body text not null check (json_valid(body)),
      unique (kind, id)
    ) strict;
    create index if not exists document_due on document (kind, due_at) where due_at is not null;
  `)
}

export function openStore(file: string): Store {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  createTable(db)
  const lookups = prepareLookups(db)
  const statements = prepareStatements(db)
  let depth = 0

  return {
    collection<Body>(kind: string): Collection<Body> {
      const seqOf = (id: string, missing: number) => {
        const row = statements.seq.get(kind, id)
        return row ? Number(row.seq) : missing
      }
      return {
        get(id) {
          const row = statements.get.get(kind, id)
          return row && (JSON.parse(String(row.body)) as Body)
        },
        put(id, body, dueAt) {
          const alarm = { dueAt: dueAt?.epochMilliseconds ?? null, keepsAlarm: dueAt === undefined ? 1 : 0 }
          statements.put.run({ kind, id, body: JSON.stringify(body), ...alarm })
        },
        remove(id) {
          statements.remove.run(kind, id)
        },
        list({ limit, before, after }) {
          const rows =
            after === undefined
              ? statements.older.all(kind, before === undefined ? Number.MAX_SAFE_INTEGER : seqOf(before, 0), limit)
              : statements.newer.all(kind, seqOf(after, Number.MAX_SAFE_INTEGER), limit).toReversed()
          return rows.map((row) => JSON.parse(String(row.body)) as Body)
        },
        listWhere(field, value) {
          return lookups[field].all(kind, value).map((row) => JSON.parse(String(row.body)) as Body)
        },
        newestWhile(wanted, before) {
          const found: Body[] = []
          const from = before === undefined ? Number.MAX_SAFE_INTEGER : seqOf(before, 0)
          for (const row of statements.older.iterate(kind, from, -1)) {
            const body = JSON.parse(String(row.body)) as Body
            if (!wanted(body)) break
            found.push(body)
          }
          return found
        },
        nextDue(now) {
          const row = statements.nextDue.get(kind, now.epochMilliseconds)
          return row && { id: String(row.id), body: JSON.parse(String(row.body)) as Body }
        },
      }
    },
    transaction(work) {
      if (depth > 0) return work()
      depth += 1
      db.exec('begin immediate')
      try {
        const result = work()
        db.exec('commit')
        return result
      } catch (error) {
        db.exec('rollback')
        throw error
      } finally {
        depth -= 1
      }
    },
    close() {
      db.close()
    },
  }
}
