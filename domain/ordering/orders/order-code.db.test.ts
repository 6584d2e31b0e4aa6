import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { counting } from '#domain/supply/delivery/delivery.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { opensOrder } from './order-access.server.ts'
import { orderCodeOf } from './order-code.server.ts'
import { orderCodeLife, sameRequestSeconds } from './order-code.ts'
import { askForCode, verifyCode } from './orders.server.ts'
import { codeDeps } from './orders.testing.ts'

const [port = 0] = await freePorts(3)

/** A guest who looked up an order and requested a code, with the email's content. */
async function openGuest() {
  const store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const { deps, ...guest } = codeDeps(store, orderId)
  const asker = { orderId, ...guest }
  return {
    store,
    deps,
    asker,
    ask: (from = 'here') => askForCode(deps, { ...asker, from }),
    verify: (code: string, by = asker) => verifyCode(deps, { ...by, code }),
    /** The code that a browser was mailed last. */
    code: async ({ orderId: about, browserId } = asker) => {
      const { id } = await store.db
        .selectFrom('order_code')
        .select('id')
        .where('order_id', '=', about)
        .where('browser_id', '=', browserId)
        .executeTakeFirstOrThrow()
      return orderCodeOf(deps.config.session.secret, id)
    },
    mails: async () => {
      const { count } = await store.db
        .selectFrom('message')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('kind', '=', 'order-code')
        .executeTakeFirstOrThrow()
      return count
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
    },
  }
}

/** The code one up. */
function next(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

test('the code opens its order once, in the browser that asked for it', async () => {
  await using guest = await openGuest()
  const { sentTo } = must(await guest.ask())
  expect(sentTo).toMatch(/^.•••@example\.com$/)
  const code = await guest.code()
  expect(await guest.verify(code, { ...guest.asker, browserId: newId() })).toMatchObject({ reason: 'code-wrong' })
  const { key } = must(await guest.verify(code))
  const { secret } = guest.deps.config.session
  expect(opensOrder(secret, key, guest.asker.orderId, guest.store.clock.now())).toBe(true)
  expect(opensOrder(secret, key, guest.asker.orderId + 1, guest.store.clock.now())).toBe(false)
  expect(await guest.verify(code)).toMatchObject({ reason: 'code-used' })
})

test('the table has no code, and no two requests the same one', async () => {
  await using guest = await openGuest()
  must(await guest.ask())
  const code = await guest.code()
  const rows = await guest.store.db.selectFrom('order_code').selectAll().execute()
  const messages = await guest.store.db.selectFrom('message').selectAll().where('kind', '=', 'order-code').execute()
  expect(rows).toHaveLength(1)
  expect(messages).toHaveLength(1)
  for (const value of [...rows, ...messages].flatMap((row) => Object.values(row))) expect(String(value)).not.toBe(code)
})

test('five attempts, and then not even the right code', async () => {
  await using guest = await openGuest()
  must(await guest.ask())
  const code = await guest.code()
  for (let count = 1; count < orderCodeLife.attempts; count += 1)
    expect(await guest.verify(next(code))).toMatchObject({ reason: 'code-wrong' })
  expect(await guest.verify(next(code))).toMatchObject({ reason: 'code-exhausted' })
  expect(await guest.verify(code)).toMatchObject({ reason: 'code-exhausted' })
  // A new code can be requested immediately and resets the attempt count.
  must(await guest.ask())
  expect(await guest.verify(code)).toMatchObject({ reason: 'code-wrong' })
  must(await guest.verify(await guest.code()))
})

test('20 concurrent attempts count at most five, and 20 correct ones open once', async () => {
  await using guest = await openGuest()
  must(await guest.ask())
  const first = await guest.code()
  const wrong = await Promise.all(Array.from({ length: 20 }, () => guest.verify(next(first))))
  const counted = wrong.filter((each) => !each.ok && each.reason === 'code-wrong')
  expect(counted).toHaveLength(orderCodeLife.attempts - 1)
  const row = () => guest.store.db.selectFrom('order_code').select(['attempts', 'used_at']).executeTakeFirstOrThrow()
  expect(await row()).toEqual({ attempts: orderCodeLife.attempts, used_at: null })
  must(await guest.ask())
  const second = await guest.code()
  const right = await Promise.all(Array.from({ length: 20 }, () => guest.verify(second)))
  expect(right.filter(({ ok }) => ok)).toHaveLength(1)
  expect(right.filter((each) => !each.ok && each.reason === 'code-used')).toHaveLength(19)
  expect(await row()).toMatchObject({ attempts: 1 })
})

test('a code lives ten minutes, and not a moment longer', async () => {
  await using guest = await openGuest()
  const asked = guest.store.clock.now()
  must(await guest.ask())
  const code = await guest.code()
  const over = asked.add({ minutes: orderCodeLife.minutes })
  guest.store.clock.set(over)
  expect(await guest.verify(code)).toMatchObject({ reason: 'code-expired' })
  guest.store.clock.set(over.subtract({ milliseconds: 1 }))
  must(await guest.verify(code))
})

test('a second click sends no code, and a later request replaces the code', async () => {
  await using guest = await openGuest()
  const asked = guest.store.clock.now()
  await Promise.all([guest.ask(), guest.ask(), guest.ask()])
  expect(await guest.mails()).toBe(1)
  const first = await guest.code()
  guest.store.clock.set(asked.add({ seconds: sameRequestSeconds }))
  must(await guest.ask())
  expect(await guest.mails()).toBe(2)
  expect(await guest.store.db.selectFrom('order_code').select('id').execute()).toHaveLength(1)
  expect(await guest.verify(first)).toMatchObject({ reason: 'code-wrong' })
  must(await guest.verify(await guest.code()))
})

test('a code for another order or browser doesn’t work', async () => {
  await using guest = await openGuest()
  must(await guest.ask())
  const other = await makePlacedOrder(guest.store, { fulfillment: 'home' })
  const { deps, look } = codeDeps(guest.store, other.orderId)
  // The same browser, which looked up both.
  const elsewhere = { orderId: other.orderId, look, browserId: guest.asker.browserId }
  expect(await guest.verify(await guest.code(), elsewhere)).toMatchObject({ reason: 'code-wrong' })
  must(await askForCode(deps, { ...elsewhere, from: 'here' }))
  expect(await guest.verify(await guest.code(), elsewhere)).toMatchObject({ reason: 'code-wrong' })
  const second = { ...guest.asker, browserId: newId() }
  must(await askForCode(deps, { ...second, from: 'here' }))
  const [firstCode, secondCode] = [await guest.code(), await guest.code(second)]
  expect(await guest.verify(firstCode, second)).toMatchObject({ reason: 'code-wrong' })
  expect(await guest.verify(secondCode)).toMatchObject({ reason: 'code-wrong' })
  must(await guest.verify(firstCode))
  must(await guest.verify(secondCode, second))
})

test('requests are counted per order before a code is created', async () => {
  await using guest = await openGuest()
  for (let count = 0; count < rateLimits['order-code'].counts.order; count += 1) {
    must(await guest.ask(`network ${count}`))
    guest.store.clock.set(guest.store.clock.now().add({ seconds: sameRequestSeconds }))
  }
  const refused = await guest.ask('another network')
  expect(refused).toMatchObject({ ok: false, reason: 'too-many-attempts' })
  expect(await guest.mails()).toBe(rateLimits['order-code'].counts.order)
})

test('without the key of a lookup an order that is there answers as one that is not, for the same work: none', async () => {
  await using guest = await openGuest()
  const { deps, asker } = guest
  must(await guest.ask())
  const code = await guest.code()
  const { db, count } = counting(deps.db)
  const counted = { ...codeDeps({ ...guest.store, db }, asker.orderId).deps }
  const try_ = async (orderId: number, look: string | null) => {
    const before = count()
    const asked = await askForCode(counted, { ...asker, orderId, look, from: 'here' })
    const verified = await verifyCode(counted, { ...asker, orderId, look, code })
    return [asked, verified, count() - before]
  }
  const nothing = { ok: false, reason: 'order-not-found', detail: undefined }
  const old = codeDeps(guest.store, asker.orderId).look
  for (const orderId of [asker.orderId, asker.orderId + 1_000_000])
    for (const look of [null, '', 'x', `${orderId}-9999999999.${'x'.repeat(43)}`])
      expect(await try_(orderId, look), `${orderId} ${look}`).toEqual([nothing, nothing, 0])
  // The key of a lookup of another order, and one that has expired.
  expect(await try_(asker.orderId + 1_000_000, old)).toEqual([nothing, nothing, 0])
  guest.store.clock.set(guest.store.clock.now().add({ minutes: 31 }))
  expect(await try_(asker.orderId, old)).toEqual([nothing, nothing, 0])
})

test('an attempt has the same cost with or without a code requested elsewhere', async () => {
  await using guest = await openGuest()
  const stranger = { ...guest.asker, browserId: newId() }
  const { db, count } = counting(guest.deps.db)
  const attempt = async () => {
    const before = count()
    return [await verifyCode({ ...guest.deps, db }, { ...stranger, code: '000000' }), count() - before]
  }
  const before = await attempt()
  must(await guest.ask())
  expect(await attempt()).toEqual(before)
})
