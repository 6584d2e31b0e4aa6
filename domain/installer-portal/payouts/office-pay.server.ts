/** Installer payouts in the office, with a page of shops with balances, and annual totals. */
import { findPaidShop, listPaidShops, type PaidShop } from '#domain/scheduling/installers/installers.server.ts'
import { selectBalances, selectYearTotals, type Balance } from './job-pay.sql.server.ts'
import { selectAccounts, type Account } from './transfers.sql.server.ts'
import { recordAct, requireFreshPermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeZone } from '#platform/store-zone.ts'

/** Returns the shop for a code in the URL; undefined if it doesn't exist. */
export async function findPayee(db: Database, code: string): Promise<PaidShop | undefined> {
  return code.length > 40 ? undefined : findPaidShop(db, { code })
}

export type ShopPay = PaidShop & { balance: Balance; account: Account | null }

/** Lists shops in order of their codes with what they are owed; `next` is the code that the following page is after. */
export async function listShopPay(
  db: Database,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ shops: ShopPay[]; next: string | null }> {
  const found = await listPaidShops(db, { after, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const ids = shown.map(({ shopId }) => shopId)
  const [balances, accounts] = [await selectBalances(db, ids), await selectAccounts(db, ids)]
  return {
    shops: shown.map((shop) => ({
      ...shop,
      balance: balances.get(shop.shopId) ?? none(shop.shopId),
      account: accounts.get(shop.shopId) ?? null,
    })),
    next: found.length > limit ? (shown.at(-1)?.code ?? null) : null,
  }
}

const none = (shopId: number): Balance => ({ shopId, owedCents: 0, sentCents: 0, openDisputes: 0, proposals: 0 })

/**
 * Records that the yearly totals leave as a file for tax forms, before the first row is read. Refuses `not-allowed` and
 * `not-fresh`.
 */
export async function recordYearExport(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  year: number,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'not-fresh'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requireFreshPermission(tx, by, 'pay.read', at)
    if (!permitted.ok) return permitted
    await recordAct(tx, { by, act: 'shop-pay.exported', fresh: permitted.value, subject: `shop pay ${year}`, at })
    return ok(null)
  })
}

/** A page of what each shop was sent in a year of the store's zone. */
export async function listYearTotals(
  db: Database,
  { year, after, limit }: { year: number; after: number | null; limit: number },
): Promise<{ items: { code: string; name: string; sentCents: number }[]; next: number | null }> {
  const start = (of: number) =>
    Temporal.PlainDate.from({ year: of, month: 1, day: 1 }).toZonedDateTime(storeZone).toInstant()
  const found = await selectYearTotals(db, {
    from: start(year),
    until: start(year + 1),
    after: after ?? 0,
    limit: limit + 1,
  })
  const shown = found.slice(0, limit)
  const items = []
  for (const { shopId, sentCents } of shown) {
    const shop = await findPaidShop(db, { shopId })
    if (shop) items.push({ code: shop.code, name: shop.name, sentCents })
  }
  return { items, next: found.length > limit ? (shown.at(-1)?.shopId ?? null) : null }
}
