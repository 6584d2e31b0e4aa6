/** Statements that do not wait for one another's answers. Kysely sends those of one connection one after the other. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  Transaction,
  type Dialect,
  type QueryExecutor,
} from 'kysely'
import pg from 'pg'
import type { DB } from '#db/types.ts'
import type { Database } from './db.ts'

type Values<Pieces extends readonly ((db: never) => unknown)[]> = {
  [Index in keyof Pieces]: Awaited<ReturnType<Pieces[Index]>>
}

/**
 * Runs pieces of work over one connection, which is the transaction's if `db` is one. The first statement of each is
 * sent in the order of the pieces, and in one packet unless a piece waits for something else before it. All have ended
 * when this returns, or throws what failed first; `db` itself waits until then, so a piece uses what it is given. No piece
 * may start a transaction, or wait for another connection, which might wait for this one. Where one does several things
 * at once itself, only its first statement is sure to come before those of the pieces after it.
 */
export async function atOnce<Db extends Database, const Pieces extends readonly ((db: Db) => unknown)[]>(
  db: Db,
  pieces: Pieces,
): Promise<Values<Pieces>> {
  const executor = db.getExecutor()
  const outcomes = await executor.provideConnection((connection) => {
    let previous = Promise.resolve()
    const ends = pieces.map((piece) => {
      const turn = previous
      const { promise, resolve } = Promise.withResolvers<void>()
      previous = promise
      const own = executor.withConnectionProvider({
        async provideConnection(consumer) {
          await turn
          const answer = consumer(connection)
          resolve()
          return answer
        },
      })
      return Promise.try(() => piece(handleOf(db, own))).finally(() => void turn.then(resolve))
    })
    return Promise.allSettled(ends)
  })
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  if (failures.length > 0) throw failures.find((failure) => !isConsequence(failure)) ?? failures[0]
  return outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value) as Values<Pieces>
}

/** Whether a statement failed only because one before it in its transaction had. */
function isConsequence(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02'
}

class OneConnection extends DummyDriver {
  override beginTransaction(): never {
    throw new Error(
      'A pipelined task can’t start a transaction because its queries are interleaved with other queries.',
    )
  }
}

const driver = new OneConnection()
const dialect: Dialect = {
  createDriver: () => driver,
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

function handleOf<Db extends Database>(db: Db, executor: QueryExecutor): Db {
  const props = { config: { dialect }, dialect, driver, executor }
  const handle: Database = db.isTransaction ? new Transaction<DB>(props) : new Kysely<DB>(props)
  return handle as Db
}
