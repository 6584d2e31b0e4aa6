/**
 * Makes edits, published imports and changes of stock visible in every process within a second: each looks twice a
 * second whether there were any (docs/decisions/005-catalog-in-memory.md).
 */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { Catalog } from './catalog-cache.server.ts'
import { isOfStock, type StockChange } from './stock-readings.ts'

/**
 * Announces a catalog change to all processes when the transaction commits. Call it last, because it blocks other
 * transactions.
 */
export async function announceCatalogChange(tx: Tx): Promise<void> {
  await sql`update catalog_version set number = number + 1`.execute(tx)
}

/** Returns whether the cached result with this name is outdated. */
type Outdated = (name: string) => boolean

export type CatalogWatch = {
  /** Polls now; changed data is reread on the next request. No effect while the database is unavailable. */
  read(): Promise<void>
  /** Calls `listener` after each change, with the readings that it made out of date. */
  onChange(listener: (isOutdated: Outdated) => void): void
  /** Starts polling. */
  start(): Promise<void>
  stop(): void
}

const readEveryMs = 500
/** Cached results live for half a minute, so older changes were already reread. */
const changesKept = { minutes: 15 }

const everything: Outdated = () => true

/** Where the database's log was at a look, and whether the look found a change. */
type NotePosition = (lsn: string, isChange: boolean) => void

/**
 * Creates a watch for the process that uses the caches of `catalog`, not yet started. `notePosition` is called for each
 * poll before anything is reread.
 */
export function watchCatalog(db: Database, catalog: Catalog, notePosition?: NotePosition): CatalogWatch {
  let known: { number: number; snapshot: string } | undefined
  let reading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const listeners: ((isOutdated: Outdated) => void)[] = []

  function tell(isOutdated: Outdated): void {
    if (isOutdated === everything) catalog.clear()
    else catalog.expire(isOutdated)
    for (const listener of listeners) listener(isOutdated)
  }

  async function look(): Promise<void> {
    const before = known
    const found = await readCatalogChanges(db, before?.snapshot).catch(() => undefined)
    if (!found) return
    known = found
    const isWhole = before?.number !== found.number || found.isWhole
    notePosition?.(found.position, isWhole || found.changes.length > 0)
    if (before === undefined) return
    if (isWhole) tell(everything)
    else if (found.changes.length > 0) tell(isOfStock(found.changes))
  }

  /** One poll at a time, because a slow one would return its snapshot after a later one's. */
  function read(): Promise<void> {
    return (reading ??= look().finally(() => {
      reading = undefined
    }))
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

export type CatalogChanges = {
  number: number
  snapshot: string
  position: string
  isWhole: boolean
  changes: readonly StockChange[]
}

/**
 * Returns the catalog's version number, PostgreSQL's current snapshot, tires with stock changed in transactions that
 * weren't visible in `snapshot`, and a WAL position after everything it sees. Comparing snapshots finds early writes
 * with late commits, which ids and timestamps would miss.
 */
export async function readCatalogChanges(db: Database, snapshot: string | undefined): Promise<CatalogChanges> {
  const { rows } = await sql<CatalogChanges>`
    with changed as materialized (
      select distinct item_id from stock_change
      where written_by >= pg_snapshot_xmin(${snapshot ?? null}::pg_snapshot)
        and not pg_visible_in_snapshot(written_by, ${snapshot ?? null}::pg_snapshot))
    select catalog_version.number, pg_current_snapshot()::text as snapshot,
      pg_current_wal_flush_lsn()::text as position,
      exists (select from changed where item_id is null) as "isWhole",
      coalesce((select json_agg(json_build_object('itemId', item.id, 'size', size.slug, 'brand', brand.slug, 'line', line.slug))
        from changed join item on item.id = changed.item_id join size on size.id = item.size_id
        join product_line line on line.id = item.product_line_id join brand on brand.id = line.brand_id), '[]') as changes
    from catalog_version`.execute(db)
  const [row] = rows
  if (!row) throw new Error('catalog_version has no row')
  return row
}

/** Deletes the changes that every process has seen. */
export async function forgetOldStockChanges(db: Database, now: Temporal.Instant): Promise<void> {
  await db.deleteFrom('stock_change').where('changed_at', '<', now.subtract(changesKept)).execute()
}
