/** Runs use cases of the product inside the one transaction of the demo data. */
import { Kysely, PostgresDialect } from 'kysely'
import type { PoolClient } from 'pg'
import type { DB } from '#db/types.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Database } from '#platform/db.ts'

/** The actor that adds the demo data. */
export const byDemo: Actor = { via: 'command line', name: 'the demo' }

/** Transactions in use cases are savepoints in the seed's transaction. */
const nested: Readonly<Record<string, string>> = {
  begin: 'savepoint use_case',
  commit: 'release savepoint use_case',
  rollback: 'rollback to savepoint use_case',
}

/** A database over the client with the open transaction. Other connections see its rows only after the seed commits. */
export function databaseWithin(client: PoolClient): Database {
  return new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => ({
          query: (text: string, values?: readonly unknown[]) =>
            client.query(nested[text.toLowerCase()] ?? text, values ? [...values] : undefined),
          release: () => undefined,
        }),
        end: async () => undefined,
      } as never,
    }),
  })
}
