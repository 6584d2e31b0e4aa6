/**
 * Makes edits, published imports and changes of stock visible in every process within a second: each looks twice a
 * second whether there were any (docs/decisions/085-changes-of-stock.md).
 */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { Catalog } from './catalog-cache.server.ts'
import { isOfStock, type StockChange } from './stock-readings.ts'

/** Announces a change that shoppers should see at once, when the transaction commits. Call it last: others wait for it. */
export async function announceCatalogChange(tx: Tx): Promise<void> {
  await sql`update catalog_version set number = number + 1`.execute(tx)
}

/** Whether what was read under such a name is out of date. */
type Outdated = (name: string) => boolean

export type CatalogWatch = {
  /** Looks now; what changed is read again when it is next asked for. Without the database nothing happens. */
  read(): Promise<void>
  /** Calls `listener` after each change, with the readings that it made out of date. */
  onChange(listener: (isOutdated: Outdated) => void): void
  /** Begins to look again and again. */
  start(): Promise<void>
  stop(): void
}

const readEveryMs = 500
/** Readings are kept for half a minute, so what is older than this was read again anyway. */
const changesKept = { minutes: 15 }

const everything: Outdated = () => true

/** Where the database's log was at a look, and whether the look found a change. */
type NotePosition = (lsn: string, isChange: boolean) => void

/**
 * Watches for a process whose caches are those of `catalog`; not yet looking. `notePosition` is told of each look before
 * anything is read again.
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
    const found = await selectChanges(db, before?.snapshot).catch(() => undefined)
    if (!found) return
    known = found
    const isWhole = before?.number !== found.number || found.isWhole
    notePosition?.(found.position, isWhole || found.changes.length > 0)
    if (before === undefined) return
    if (isWhole) tell(everything)
    else if (found.changes.length > 0) tell(isOfStock(found.changes))
  }

  /** One look at a time: a slow one would hand out its snapshot after a later one's. */
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

type Found = { number: number; snapshot: string; position: string; isWhole: boolean; changes: readonly StockChange[] }

/**
 * The number of the catalog, what PostgreSQL sees now, and the tires whose stock changed in transactions that it did not
 * see in `snapshot`, and a place in the log after all that it sees. Comparing snapshots finds what was written early and committed late, which ids and times would miss.
 */
async function selectChanges(db: Database, snapshot: string | undefined): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
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
  return rows[0]
}

/** Deletes the changes that every process has seen. */
export async function forgetOldStockChanges(db: Database, now: Temporal.Instant): Promise<void> {
  await db.deleteFrom('stock_change').where('changed_at', '<', now.subtract(changesKept)).execute()
}
