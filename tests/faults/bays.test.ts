/** Tests all appointment operations concurrently with more demand than bays. No bay is ever double-booked. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  expireHolds,
  extendHold,
  findAppointment,
  holdSlot,
  moveBooking,
  releaseHold,
} from '#domain/scheduling/booking/booking.server.ts'
import { insertHold, updatePlace, updateState, type Place } from '#domain/scheduling/booking/booking.sql.server.ts'
import { at, crowdOf, makeCart, makeOrder, oneBay } from '#domain/scheduling/booking/booking.testing.ts'
import type { Choice } from '#domain/scheduling/booking/booking.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { installationFor, placeOrder, readShopMonth } from '#domain/ordering/checkout/checkout.server.ts'
import { cancelOrder } from '#domain/ordering/orders/orders.server.ts'
import { isDeadlock, violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { verify } from '#tests/support/invariants.ts'
import { randomOf, seeds, type Random } from './random.ts'
import { agree, granted, longTimeouts, type ReadyCart } from './ready-cart.ts'
import { findSerialOrder, type Done } from './serial-order.ts'
import { openScenario, type Scenario } from './scenario.ts'

test.for(seeds)(
  'holds, orders, moves, cancellations and expiry, mixed at random, leave everything consistent (seed %i)',
  async (seed) => {
    await using scenario = await openScenario({ size: 30, env: longTimeouts })
    const shopId = await narrowShop(scenario)
    const wish = {
      lines: [{ itemId: await scenario.stockUp(), quantity: 4, axle: 'all' as const }],
      zip: '60614',
      install: { shopId, kind: 'shop' as const },
    }
    const carts: ReadyCart[] = []
    // Sequential because each finds a free time and releases it for the next one.
    for (let count = 0; count < 24; count++) {
      carts.push(await scenario.prepare(wish))
      await releaseHold(scenario.app, { cartId: carts.at(-1)?.cartId ?? '' })
    }
    const outcomes = (
      await Promise.all(carts.map((cart, index) => wander(scenario, shopId, cart, randomOf(seed * 1_000 + index))))
    ).flat()

    expect(outcomes).toEqual(expect.arrayContaining(['held', 'slot-taken', 'placed']))
    expect(await verify(scenario.db, scenario.clock.now())).toEqual([])
    await scenario.letTimePass()
    expect(await scenario.disagreements()).toEqual([])
  },
)

test.for(seeds)(
  'without checking first, the constraint alone protects the bay, and refuses only taken times (seed %i)',
  async (seed) => {
    await using shop = await oneBay()
    await using crowd = crowdOf(shop.url, 16)
    const { id: bayId } = await shop.db
      .selectFrom('shop_bay')
      .select('id')
      .where('kind', '=', 'bay')
      .executeTakeFirstOrThrow()
    const change = { now: shop.clock.now(), actor: 'test' }
    const placeOf = ([from, to]: Span): Place => ({
      shopId: shop.shopId,
      bayId,
      kind: 'wait',
      start: halfHour(from),
      end: halfHour(to),
      dropOff: null,
    })
    const history: Done<string>[] = []

    /** Runs an attempt and records its result for the serial model, which must grant it exactly if the time is free. */
    async function attempt({
      leaves,
      wants,
      work,
    }: {
      leaves: Span | null
      wants: Span | null
      work: () => Promise<boolean>
    }): Promise<boolean> {
      const from = performance.now()
      const isGranted = await persistently(work).catch((error: unknown) => {
        if (error === taken || violatedConstraint(error) === 'booking_bay_taken_once') return false
        throw error
      })
      const apply = (state: string) => {
        const others = spansOf(state).filter((span) => textOf(span) !== textOf(leaves))
        const isFree = wants === null || others.every((span) => span[1] <= wants[0] || wants[1] <= span[0])
        if (isGranted !== isFree) return undefined
        return isGranted ? [...others.map(textOf), ...(wants ? [textOf(wants)] : [])].toSorted().join() : state
      }
      history.push({ what: `${textOf(leaves)} to ${textOf(wants)}: ${isGranted}`, from, to: performance.now(), apply })
      return isGranted
    }

    async function blindly(random: Random): Promise<void> {
      const draw = (): Span => {
        const from = random.between(0, 8)
        return [from, from + random.between(1, 4)]
      }
      const cartId = await makeCart(crowd.db)
      const id = newId()
      const first = draw()
      const hold = { ...placeOf(first), id, cartId, heldBy: null, expiresAt: change.now.add({ minutes: 10 }) }
      const take = () =>
        crowd.db.transaction().execute(async (tx) => {
          if (!(await insertHold(tx, hold, change))) throw taken
          return true
        })
      if (!(await attempt({ leaves: null, wants: first, work: take }))) return
      const orderId = await makeOrder(crowd.db, cartId, shop.shopId)
      await persistently(() => updateState(crowd.db, { id, from: 'held', to: 'confirmed', orderId }, change))
      let last = first
      for (let moves = random.between(0, 3); moves > 0; moves--) {
        const next = draw()
        if (await attempt({ leaves: last, wants: next, work: () => updatePlace(crowd.db, id, placeOf(next), change) }))
          last = next
      }
      if (random.chance(0.5))
        await attempt({
          leaves: last,
          wants: null,
          work: () => updateState(crowd.db, { id, from: 'confirmed', to: 'canceled' }, change),
        })
    }

    await Promise.all(Array.from({ length: 24 }, (_, index) => blindly(randomOf(seed * 1_000 + index))))
    expect(findSerialOrder('', history)).toHaveLength(history.length)
    expect((await verify(shop.db, change.now)).map(({ name }) => name)).not.toContain('bay-taken-once')
  },
)

/** Half hours since 9:00. */
type Span = readonly [from: number, to: number]

const taken = new Error('Someone else has it.')
const halfHour = (count: number) => at('2026-11-24T09:00').add({ minutes: 30 * count })
const textOf = (span: Span | null) =>
  span === null ? 'nothing' : span.map((count) => String(count).padStart(2, '0')).join('-')
const spansOf = (state: string): Span[] =>
  state === '' ? [] : state.split(',').map((text): Span => [Number(text.slice(0, 2)), Number(text.slice(3))])

/** Retries after a deadlock, as the use cases do. */
async function persistently<Value>(work: () => Promise<Value>): Promise<Value> {
  return work().catch((error: unknown) => {
    if (isDeadlock(error)) return persistently(work)
    throw error
  })
}

/** Runs an indecisive shopper's operations on a time in random order. Returns each result. */
async function wander(scenario: Scenario, shopId: number, cart: ReadyCart, random: Random): Promise<string[]> {
  const { app } = scenario
  const { cartId } = cart
  const opened = await readCart(app, cartId)
  if (!opened) throw new Error('The cart is gone.')
  const month = granted(await readShopMonth(app, opened, shopId))
  const work = granted(await installationFor(app, opened, shopId))
  const firstDays = month.days.filter((day) => day.times.length > 0).slice(0, 2)
  const choices: Choice[] = firstDays.flatMap(({ date, times, dropOffs }) => [
    ...times.slice(0, 3).map(({ start }) => ({ start })),
    ...dropOffs.slice(0, 1).map(({ window }) => ({ date, window })),
  ])
  const said: string[] = []
  const note = (what: string, outcome: { ok: boolean; reason?: string }) =>
    said.push(outcome.ok ? what : (outcome.reason ?? ''))
  let orderId: number | undefined
  for (let turn = 0; turn < 12; turn++) {
    const dice = random.between(1, 12)
    if (dice === 12) {
      scenario.clock.set(scenario.clock.now().add({ minutes: random.between(1, 4) }))
      await expireHolds(app)
    } else if (orderId === undefined) {
      if (dice <= 6) note('held', await holdSlot(app, { ...work, cartId, shopId, choice: random.pick(choices) }))
      else if (dice <= 7) note('extended', await extendHold(app, { cartId }))
      else if (dice <= 8) await releaseHold(app, { cartId })
      else {
        const placed = await placeOrder(app, await agree(app, cartId))
        note('placed', placed)
        if (placed.ok) orderId = placed.value.orderId
      }
    } else if (dice <= 8) {
      const booking = await findAppointment(app, { orderId })
      if (booking)
        note('moved', await moveBooking(app, { ...work, bookingId: booking.id, choice: random.pick(choices) }))
    } else if (dice <= 10) {
      note('canceled', await cancelOrder(app, { orderId, actor: 'shopper' }))
    }
  }
  return said
}

/** A shop without appointments that installs these tests' tires, reduced to one bay and one drop-off place. */
async function narrowShop(scenario: Scenario): Promise<number> {
  const shopId = await scenario.shopNearby()
  await sql`
    delete from shop_bay where shop_id = ${shopId}::int and id not in (select min(id) from shop_bay where shop_id = ${shopId}::int group by kind)`.execute(
    scenario.db,
  )
  return shopId
}
