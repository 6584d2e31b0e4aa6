/**
 * Runs statements without waiting for each other's results. Kysely sends the statements of one connection sequentially.
 */
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
 * Runs tasks over one connection. If `db` is a transaction, it is the transaction's. Sends the first statement of each
 * in the tasks' order, and in one packet unless a task first awaits something else. Resolves after all tasks have
 * ended, or throws the first error. `db` is blocked until then, so tasks must use their argument. Tasks must not start
 * a transaction or wait for another connection, which might wait for this one. If a task runs several statements
 * concurrently, only its first is guaranteed to precede later tasks' statements.
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
  // Two statements instead of a conditional expression, for which the compiler would compare the two classes.
  let handle: Database = new Kysely<DB>(props)
  if (db.isTransaction) handle = new Transaction<DB>(props)
  return handle as Db
}
