/** Shops close after their last day once each later appointment is decided. */
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import {
  closeAfterLastDay,
  lockShopRecord,
  selectClosingShops,
  type ClosingShop,
} from '#domain/scheduling/installers/installers.server.ts'
import { recordAct } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { statusText } from './status-changes.server.ts'

type Deps = { db: Database; clock: Clock }

/** More shops than close on one day. */
const maxDue = 1_000

/**
 * Closes shops after their last day, in their time zone. Shops with undecided appointments are only unlisted, and close
 * in a later run.
 */
export async function closeDueShops({ db, clock }: Deps): Promise<void> {
  for (const { id } of await selectClosingShops(db, { endedBy: clock.now(), limit: maxDue }))
    await db.transaction().execute(async (tx) => {
      const shop = await lockShopRecord(tx, { id })
      if (!shop?.closing) return
      const at = clock.now()
      const isClosed = await closeAfterLastDay(tx, id, at.toZonedDateTimeISO(shop.timeZone).toPlainDate())
      if (isClosed)
        await recordAct(tx, {
          by: { via: 'command line', name: 'worker' },
          act: 'shop.closed-after-last-day',
          subject: shop.code,
          before: { status: statusText(shop) },
          after: { status: 'closed' },
          reason: shop.closing.reason,
          at,
        })
      if (isClosed || shop.isActive) await announceCatalogChange(tx)
    })
}

/** Lists closing shops with undecided appointments, those with the earliest last day first. */
export async function listUndecidedClosings({ db }: Pick<Deps, 'db'>, limit: number): Promise<ClosingShop[]> {
  return (await selectClosingShops(db, { endedBy: null, limit: maxDue }))
    .filter(({ undecided }) => undecided > 0)
    .slice(0, limit)
}
