/** Makes edits and published imports visible at once: each process looks every two seconds whether there was one. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { Catalog } from './catalog-cache.server.ts'

/** Announces a change that shoppers should see at once, when the transaction commits. Call it last: others wait for it. */
export async function announceCatalogChange(tx: Tx): Promise<void> {
  await sql`update catalog_version set number = number + 1`.execute(tx)
}

export type CatalogWatch = {
  /** Looks now; empties the caches if anything changed. Without the database nothing happens. */
  read(): Promise<void>
  /** Calls `listener` after each change. */
  onChange(listener: () => void): void
  /** Begins to look again and again. */
  start(): Promise<void>
  stop(): void
}

const readEveryMs = 2_000

/** Watches for a process whose caches are those of `catalog`; not yet looking. */
export function watchCatalog(db: Database, catalog: Catalog): CatalogWatch {
  let known: number | undefined
  let timer: NodeJS.Timeout | undefined
  const listeners: (() => void)[] = []

  async function read(): Promise<void> {
    const found = await db
      .selectFrom('catalog_version')
      .select('number')
      .executeTakeFirst()
      .catch(() => undefined)
    if (!found || found.number === known) return
    const isFirst = known === undefined
    known = found.number
    if (isFirst) return
    catalog.clear()
    for (const listener of listeners) listener()
  }

  return {
    read,
    onChange: (listener) => void listeners.push(listener),
    async start() {
      await read()
      timer = setInterval(() => void read(), readEveryMs)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
