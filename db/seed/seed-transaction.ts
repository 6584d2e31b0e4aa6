/** Runs use cases of the product inside the one transaction of the demo data. */
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import type { PoolClient } from 'pg'
import type { DB } from '#db/types.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { demoStore } from '#platform/config-variables.ts'
import type { Database } from '#platform/db.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'

/** The actor that adds the demo data. */
export const byDemo: Actor = { via: 'command line', name: 'the demo' }

/** Returns a staff member as an actor, by email. */
export function byStaff(email: string): Actor {
  return { via: 'command line', name: email }
}

const config = { store: demoStore, session: { secret: 'signs nothing that outlives the seed' } }

export type SeedDeps = { db: Database; clock: Clock; config: typeof config }

/** What use cases need to run in the client's transaction at the time `at`. */
export function depsAt(client: PoolClient, at: Temporal.Instant): SeedDeps {
  return { db: databaseWithin(client), clock: { now: () => at }, config }
}

/** Returns what a use case returned. Throws if it refused `what`, such as "the supplier BROADMOOR". */
export function accepted<Value>(what: string, outcome: Outcome<Value, Refused<string, unknown>>): Value {
  if (outcome.ok) return outcome.value
  throw new Error(`${what} was refused: ${outcome.reason} ${JSON.stringify(outcome.detail ?? '')}`)
}

/** Deletes the emails that the use cases queued. The demo's people got them in the past. */
export async function deleteQueuedEmails(client: PoolClient): Promise<void> {
  await client.query('delete from message')
  await client.query(`
    delete from graphile_worker._private_jobs job using graphile_worker._private_tasks task
    where task.id = job.task_id and task.identifier in ('send-message', 'email-about-join')`)
}

/** A database over the client with the open transaction. Other connections see its rows only after the seed commits. */
function databaseWithin(client: PoolClient): Database {
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverWithin(client),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

/** Transactions in use cases are savepoints in the seed's transaction. */
function driverWithin(client: PoolClient): Driver {
  let last: Promise<unknown> = Promise.resolve()
  // The client takes one query at a time, and use cases send some together.
  const query = (text: string, values?: unknown[]) => {
    const sent = last.then(() => client.query(text, values))
    last = sent.catch(() => undefined)
    return sent
  }
  const send = async (text: string) => void (await query(text))
  const connection: DatabaseConnection = {
    async executeQuery<Result>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Result>> {
      const { rows, rowCount } = await query(sql, parameters.map(textOfTime))
      return { rows: rows as Result[], numAffectedRows: BigInt(rowCount ?? 0) }
    },
    streamQuery() {
      throw new Error('The demo data has no use case that streams rows.')
    },
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => send('savepoint use_case'),
    commitTransaction: () => send('release savepoint use_case'),
    rollbackTransaction: () => send('rollback to savepoint use_case'),
    releaseConnection: async () => {},
    destroy: async () => {},
  }
}

function textOfTime(value: unknown): unknown {
  return value instanceof Temporal.Instant || value instanceof Temporal.PlainDate ? value.toString() : value
}
