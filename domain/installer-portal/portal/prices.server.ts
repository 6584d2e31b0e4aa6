/** An open shop's price lists by start date. The price of quoted, reserved, and ordered work doesn't change. */
import { createHash } from 'node:crypto'
import type { ShopLimits } from '#domain/scheduling/installers/installers.ts'
import {
  deletePrices,
  insertShopEvent,
  listPrices,
  lockOpenShop,
  type PriceList,
  selectShopEvents,
  type ShopEvent,
  writePrices,
} from '#domain/scheduling/installers/installers.server.ts'
import { requireShopMember, type PortalActor } from './portal-sessions.server.ts'
import { mostPriceLists, pricesDaysAhead, type PricesFormInput } from './prices.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }
export type PricesRefusal = Refused<
  'not-allowed' | 'in-set-up' | 'past' | 'too-far' | 'too-many' | 'no-plan' | 'changed-meanwhile'
>
type Saved = Outcome<null, PricesRefusal>

/** Reads a shop's price lists, including past ones, with their authors. `version` names what they say. */
export async function readPrices(
  { db }: Pick<Deps, 'db'>,
  shopId: number,
): Promise<{ lists: PriceList[]; version: string; limits: ShopLimits; events: ShopEvent[] }> {
  const [prices, events] = await Promise.all([
    listPrices(db, shopId),
    selectShopEvents(db, { shopId, acts: ['prices', 'prices-withdrawn'], limit: 20 }),
  ])
  return { ...prices, version: versionOf(prices.lists), events }
}

function versionOf(lists: readonly PriceList[]): string {
  const said = lists.map(({ madeBy: _madeBy, ...list }) => list)
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)
}

/**
 * Schedules a price list from a future day. Refuses with `past` for a day that has started at the shop, `too-far`,
 * `too-many`, `in-set-up` and `not-allowed`, and with `changed-meanwhile` if `basedOn` is an outdated version.
 */
export function planPrices(
  deps: Deps,
  by: PortalActor,
  { timeZone, list: { from, rates, times, services, basedOn } }: { timeZone: string; list: PricesFormInput },
): Promise<Saved> {
  return act(deps, by, { timeZone, from, act: 'prices' }, async (tx, { memberId, at, today }) => {
    if (Temporal.PlainDate.compare(from, today.add({ days: pricesDaysAhead })) > 0) return refused('too-far')
    const { lists } = await listPrices(tx, by.shopId)
    if (basedOn !== null && basedOn !== versionOf(lists)) return refused('changed-meanwhile')
    const ahead = lists.filter(
      (list) => list.from !== null && list.from > today.toString() && list.from !== from.toString(),
    )
    if (ahead.length >= mostPriceLists) return refused('too-many')
    // Rims beyond the agreement that the shop takes already are priced as the largest of it.
    const largest = Math.max(...lists.flatMap((list) => list.rates.map(({ rimToIn }) => rimToIn)))
    const last = Math.max(...rates.map(({ rimToIn }) => rimToIn))
    const covering = rates.map((rate) => (rate.rimToIn === last ? { ...rate, rimToIn: Math.max(last, largest) } : rate))
    await writePrices(tx, { shopId: by.shopId, from, rates: covering, times, services, by: memberId, at })
    return ok(null)
  })
}

/** Removes a scheduled price list. Refuses as `planPrices` does, and with `no-plan` if no list starts on that day. */
export function withdrawPrices(
  deps: Deps,
  by: PortalActor,
  { timeZone, from }: { timeZone: string; from: Temporal.PlainDate },
): Promise<Saved> {
  return act(deps, by, { timeZone, from, act: 'prices-withdrawn' }, async (tx) =>
    (await deletePrices(tx, { shopId: by.shopId, from })) === undefined ? refused('no-plan') : ok(null),
  )
}

function act(
  { db, clock }: Deps,
  by: PortalActor,
  asked: { timeZone: string; from: Temporal.PlainDate; act: 'prices' | 'prices-withdrawn' },
  change: (tx: Tx, at: { memberId: string; at: Temporal.Instant; today: Temporal.PlainDate }) => Promise<Saved>,
): Promise<Saved> {
  const at = clock.now()
  const today = at.toZonedDateTimeISO(asked.timeZone).toPlainDate()
  return db.transaction().execute(async (tx): Promise<Saved> => {
    const member = await requireShopMember(tx, by, 'prices.edit', at)
    if (!member.ok) return member
    if (!(await lockOpenShop(tx, by.shopId))) return refused('in-set-up')
    if (Temporal.PlainDate.compare(asked.from, today) <= 0) return refused('past')
    const { memberId } = member.value
    const changed = await change(tx, { memberId, at, today })
    if (changed.ok)
      await insertShopEvent(tx, { shopId: by.shopId, memberId, at, act: asked.act, note: asked.from.toString() })
    return changed
  })
}
