/**
 * Referrals through the real checkout, with the friend's discount, the referrer's reward, and refusals. Over 400 lines:
 * tests that all need the same three people and their orders.
 */
import { changeTerms } from '#domain/kernel/settings/settings.server.ts'
import { selectState } from '#domain/kernel/settings/store-state.sql.server.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteAccount } from '#domain/operations/personal-data/personal-data.server.ts'
import { keepCart, readCart } from '#domain/payments/cart/cart.server.ts'
import {
  asAccount,
  asOwnerOf,
  agreeTo,
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  untilWaiting,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { openCharge } from '#domain/payments/payments/payments.server.ts'
import { creditOf } from '#domain/payments/ledger/ledger.server.ts'
import { cancelOrder } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { newId } from '#platform/ids.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { mailboxOf } from './referral-rules.ts'
import {
  claimReferral,
  inviteFriends,
  noteReferral,
  readReferralBoard,
  referralCodeOf,
  inviteMessageValues,
  settleReferrals,
} from './programs.server.ts'
import { firstPlacedOrder } from '#tests/support/database.ts'

const [port = 0] = await freePorts(3)

/** The store without deals, because a referral does not discount tires on a deal. */
async function openStore(): Promise<TestStore> {
  const store = await openTestStore(port)
  await store.db
    .updateTable('promotion')
    .set({ starts_at: store.clock.now().subtract({ hours: 48 }), ends_at: store.clock.now().subtract({ hours: 24 }) })
    .execute()
  return store
}

async function addAccount({ db, clock }: TestStore, name: string): Promise<string> {
  const id = newId()
  await db
    .insertInto('account')
    .values({
      id,
      name,
      email: `${name.toLowerCase()}@example.com`,
      email_verified_at: clock.now(),
      created_at: clock.now(),
    })
    .execute()
  return id
}

/** A cart of an unrelated shopper, opened through the link of `by`. */
async function cartOf(store: TestStore, shopper: { name: string; accountId?: string; by: string }): Promise<string> {
  const { accountId } = shopper
  const { id } = await makeReadyCart(accountId === undefined ? store : asAccount(store, accountId), {
    fulfillment: 'home',
  })
  const digits = [...shopper.name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10_000_000, 7)
  await store.db
    .updateTable('cart_contact')
    .set({
      email: `${shopper.name.toLowerCase()}@example.com`,
      phone: `312${String(digits).padStart(7, '0')}`,
      address1: `${digits} Elm St`,
    })
    .where('cart_id', '=', id)
    .execute()
  if (accountId !== undefined) await keepCart(store.db, id, accountId)
  await noteReferral(store, id, { code: await referralCodeOf(store, shopper.by), openedAt: store.clock.now() })
  return id
}

async function readPrice(open: TestStore, cartId: string) {
  const store = await asOwnerOf(open, cartId)
  const cart = await readCart(store, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { breakdown, notes } = await quoteCart(store, cart, (await readDetails(store, cartId)).contact)
  return {
    program: breakdown?.program.kind,
    cents: breakdown?.totals.programCents,
    tires: breakdown?.lines[0]?.grossCents,
    notes,
  }
}

async function pay(open: TestStore, cartId: string, card?: string) {
  const store = await asOwnerOf(open, cartId)
  const cart = await readCart(store, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { totalCents, ...input } = await agreeTo(store, cart)
  if (card === undefined) await payByCard(store, cartId, totalCents)
  else {
    const { clientSecret } = must(await openCharge(store, { cartId, amountCents: totalCents, email: null }))
    await payWithFields(store.sandbox, clientSecret, card)
  }
  return input
}

const cards = ['5555555555554444', '6011111111111117', '4000000000007726'] as const

async function order(store: TestStore, cartId: string, card?: string): Promise<number> {
  return must(await placeOrder(await asOwnerOf(store, cartId), await pay(store, cartId, card))).orderId
}

function deliver(store: TestStore, orderId: number, at: Temporal.Instant): Promise<void> {
  return moveParcels(store, orderId, 'delivered', at)
}

test('a friend gets 10% off and the referrer $10 thirty days after delivery, once', async () => {
  await using store = await openStore()
  const ray = await addAccount(store, 'Ray')
  const cartId = await cartOf(store, { name: 'Fay', by: ray })
  const price = await readPrice(store, cartId)
  expect(price).toMatchObject({ program: 'referral', notes: [] })
  expect(price.cents).toBe(Math.round((price.tires ?? 0) / 10))
  const orderId = await order(store, cartId)
  expect(await readReferralBoard(store, ray)).toMatchObject({
    pendingCents: 1000,
    earnedCents: 0,
    creditCents: 0,
    referrals: [{ who: null, state: 'pending' }],
  })

  const came = store.clock.now()
  await deliver(store, orderId, came)
  store.clock.set(came.add({ hours: 24 * 30 - 1 }))
  expect(await settleReferrals(store)).toBe(0)
  store.clock.set(came.add({ hours: 24 * 30 }))
  const rounds = await Promise.all([settleReferrals(store), settleReferrals(store), settleReferrals(store)])
  expect(rounds.toSorted()).toEqual([0, 0, 1])
  expect(await settleReferrals(store)).toBe(0)
  expect(await creditOf(store.db, ray)).toBe(1000)
  expect(await readReferralBoard(store, ray)).toMatchObject({
    pendingCents: 0,
    earnedCents: 1000,
    creditCents: 1000,
    referrals: [{ state: 'earned' }],
  })
  expect(
    await store.db.selectFrom('message').select('to_address').where('kind', '=', 'referral-earned').execute(),
  ).toEqual([{ to_address: 'ray@example.com' }])
})

test('a reward follows the terms at the time of the friend’s order', async () => {
  await using store = await openStore()
  const ray = await addAccount(store, 'Ray')
  await order(store, await cartOf(store, { name: 'Fay', by: ray }), cards[0])
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  const seen = (await selectState(store.db)).termsVersion
  const input = { values: { 'referrer-reward-cents': 2_500 }, startsAt: null, seen }
  must(await changeTerms(store, { via: 'command line', name: 'owner' }, { group: 'discounts', input }))
  expect(await readReferralBoard(store, ray)).toMatchObject({ pendingCents: 1_000 })
  const later = await order(store, await cartOf(store, { name: 'Guy', by: ray }), cards[1])
  expect(await readReferralBoard(store, ray)).toMatchObject({ pendingCents: 3_500 })
  const came = store.clock.now()
  await deliver(store, later, came)
  store.clock.set(came.add({ hours: 24 * 30 }))
  expect(await settleReferrals(store)).toBe(1)
  expect(await creditOf(store.db, ray)).toBe(2_500)
})

test('a friend’s discount follows the terms at the time the link was opened', async () => {
  await using store = await openStore()
  const ray = await addAccount(store, 'Ray')
  const before = await cartOf(store, { name: 'Fay', by: ray })
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  const seen = (await selectState(store.db)).termsVersion
  const input = { values: { 'friend-ppm': 250_000 }, startsAt: null, seen }
  must(await changeTerms(store, { via: 'command line', name: 'owner' }, { group: 'discounts', input }))
  await store.businessTerms.read()
  const after = await cartOf(store, { name: 'Guy', by: ray })
  const shares = await Promise.all(
    [before, after].map(async (cartId) => {
      const { cents = 0, tires = 1 } = await readPrice(store, cartId)
      return Math.round((100 * cents) / tires)
    }),
  )
  expect(shares).toEqual([10, 25])
})

test('two friends ordering by one link concurrently both count as referrals', async () => {
  await using store = await openStore()
  const ray = await addAccount(store, 'Ray')
  const [fay, guy] = await Promise.all([
    cartOf(store, { name: 'Fay', by: ray }),
    cartOf(store, { name: 'Guy', by: ray }),
  ])
  const inputs = [await pay(store, fay, cards[0]), await pay(store, guy, cards[1])]
  for (const placed of await Promise.all(inputs.map((input) => placeOrder(store, input)))) expect(placed.ok).toBe(true)
  expect(await readReferralBoard(store, ray)).toMatchObject({ pendingCents: 2000 })
})

test('a friend submitting two carts concurrently is referred once, and the other order is rejected as a price change', async () => {
  await using store = await openStore()
  const ray = await addAccount(store, 'Ray')
  const carts = await Promise.all([cartOf(store, { name: 'Fay', by: ray }), cartOf(store, { name: 'Fay', by: ray })])
  const inputs = await Promise.all(carts.map((cartId) => pay(store, cartId, cards[0])))
  const placed = await Promise.all(inputs.map((input) => placeOrder(store, input)))
  expect(placed.map((outcome) => (outcome.ok ? 'placed' : outcome.reason)).toSorted()).toEqual([
    'placed',
    'price-changed',
  ])
  expect(
    await store.db.selectFrom('referral').select('state').where('order_id', '>=', firstPlacedOrder).execute(),
  ).toEqual([{ state: 'pending' }])
  const left = carts[placed.findIndex((outcome) => !outcome.ok)] ?? ''
  expect(await readPrice(store, left)).toMatchObject({
    program: 'none',
    notes: [expect.stringContaining('first order')],
  })
})

test('rejects rings of two and three, even with concurrent orders', async () => {
  await using store = await openStore()
  const [ann, ben, cleo] = [
    await addAccount(store, 'Ann'),
    await addAccount(store, 'Ben'),
    await addAccount(store, 'Cleo'),
  ]
  const [annByBen, benByAnn] = [
    await cartOf(store, { name: 'Ann', accountId: ann, by: ben }),
    await cartOf(store, { name: 'Ben', accountId: ben, by: ann }),
  ]
  const inputs = [await pay(store, annByBen, cards[0]), await pay(store, benByAnn, cards[1])]
  const placed = await Promise.all(inputs.map(async (input) => placeOrder(await asOwnerOf(store, input.cartId), input)))
  expect(placed.map((outcome) => (outcome.ok ? 'placed' : outcome.reason)).toSorted()).toEqual([
    'placed',
    'price-changed',
  ])

  const [first, second] = placed[0]?.ok ? [ben, 'Ann'] : [ann, 'Ben']
  // Cleo is referred by the friend; that friend's referrer may not be referred by Cleo.
  await order(store, await cartOf(store, { name: 'Cleo', accountId: cleo, by: second === 'Ann' ? ann : ben }), cards[2])
  const closing = await cartOf(store, { name: second === 'Ann' ? 'Ben' : 'Ann', accountId: first, by: cleo })
  expect(await readPrice(store, closing)).toMatchObject({
    program: 'none',
    notes: [expect.stringContaining('referred by you')],
  })
})

test('of two orders that would close a ring, the second is rejected', async () => {
  await using store = await openStore()
  const owners = [await addAccount(store, 'Ann'), await addAccount(store, 'Ben')]
  const codes = [await referralCodeOf(store, owners[0] ?? ''), await referralCodeOf(store, owners[1] ?? '')]
  const claims = await Promise.all(
    [0, 1].map(async (index) => {
      const { orderId, cartId } = await makePlacedOrder(store, { fulfillment: 'home' })
      await keepCart(store.db, cartId, owners[index] ?? '')
      await store.db
        .updateTable('sales_order')
        .set({ phone: `312555000${index}`, address1: `${index} Elm St` })
        .where('id', '=', orderId)
        .execute()
      await store.db
        .updateTable('cart_contact')
        .set({ phone: `312555000${index}`, address1: `${index} Elm St` })
        .where('cart_id', '=', cartId)
        .execute()
      await store.db
        .updateTable('payment')
        .set({ card_fingerprint: `card ${index}` })
        .where('order_id', '=', orderId)
        .execute()
      const cart = await readCart(asAccount(store, owners[index] ?? ''), cartId)
      if (!cart) throw new Error('The cart of a test is gone.')
      return { orderId, cart: { ...cart, referral: { code: codes[1 - index] ?? '', openedAt: store.clock.now() } } }
    }),
  )
  const claim = (of: (typeof claims)[number] | undefined, until: Promise<unknown>) =>
    store.db.transaction().execute(async (tx) => {
      if (!of) throw new Error('A test needs two orders.')
      const claimed = await claimReferral({ ...store, db: tx }, of)
      await until
      return claimed
    })
  const { promise: committing, resolve: commit } = Promise.withResolvers<void>()
  const first = claim(claims[0], committing)
  const second = claim(claims[1], Promise.resolve())
  await Promise.race([untilWaiting(store.db, 1), second])
  commit()
  expect([await first, await second].filter(Boolean)).toHaveLength(1)
})

test('detects own links, households and cards', async () => {
  await using store = await openStore()
  const ray = await addAccount(store, 'Ray')
  expect(await readPrice(store, await cartOf(store, { name: 'Ray', by: ray }))).toMatchObject({
    program: 'none',
    notes: [expect.stringContaining('own link')],
  })

  const { id: old } = await makeReadyCart(store, { fulfillment: 'home' })
  await keepCart(store.db, old, ray)
  await order(store, old, cards[0])
  const cartId = await cartOf(store, { name: 'Fay', by: ray })
  const agreed = await pay(store, cartId, cards[0])
  // The card is known only once authorized, so the price without the discount is shown before the order is placed.
  expect(await placeOrder(store, agreed)).toMatchObject({ ok: false, reason: 'price-changed' })
  expect(await readPrice(store, cartId)).toMatchObject({ notes: [expect.stringContaining('card')] })

  const home = await cartOf(store, { name: 'Guy', by: ray })
  await store.db
    .updateTable('cart_contact')
    .set({ address1: '1430 North Halsted Street' })
    .where('cart_id', '=', home)
    .execute()
  expect(await readPrice(store, home)).toMatchObject({ notes: [expect.stringContaining('other households')] })
})

test('another spelling of a mailbox neither makes a new customer nor hides a ring', async () => {
  await using store = await openStore()
  const [ray, fay] = [await addAccount(store, 'Ray'), await addAccount(store, 'Fay')]
  const { id: earlier } = await makeReadyCart(store, { fulfillment: 'home' })
  await store.db
    .updateTable('cart_contact')
    .set({ email: 'Guy+Tires@example.com' })
    .where('cart_id', '=', earlier)
    .execute()
  await order(store, earlier, cards[0])
  expect(await readPrice(store, await cartOf(store, { name: 'guy+more', by: ray }))).toMatchObject({
    program: 'none',
    notes: [expect.stringContaining('first order')],
  })

  // Fay is referred by Ray as a guest; Ray may not be referred by Fay.
  await order(store, await cartOf(store, { name: 'fay+guest', by: ray }), cards[1])
  const closing = await cartOf(store, { name: 'ray+guest', by: fay })
  expect(await readPrice(store, closing)).toMatchObject({
    program: 'none',
    notes: [expect.stringContaining('referred by you')],
  })
})

test('the database normalizes a mailbox as the rules do', async () => {
  await using store = await openStore()
  for (const email of [
    'Dana@Example.com',
    'd.a.na+x@gmail.com',
    'd.a.na@GoogleMail.com',
    'd.a.na+a+b@example.com',
    'a@notgmail.com',
    '"x@y"+1@example.com',
    '+@example.com',
  ]) {
    const { rows } = await sql<{ mailbox: string }>`select mailbox_of(${email}) as mailbox`.execute(store.db)
    expect(rows[0]?.mailbox, email).toEqual(mailboxOf(email))
  }
})

test('a canceled order pays no reward, and its shopper may use the link again', async () => {
  await using store = await openStore()
  const ray = await addAccount(store, 'Ray')
  const orderId = await order(store, await cartOf(store, { name: 'Fay', by: ray }))
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  await deliver(store, orderId, store.clock.now())
  store.clock.set(store.clock.now().add({ hours: 24 * 31 }))
  expect(await settleReferrals(store)).toBe(0)
  expect(await readReferralBoard(store, ray)).toMatchObject({ pendingCents: 0, referrals: [{ state: 'canceled' }] })
  expect(await readPrice(store, await cartOf(store, { name: 'Fay', by: ray }))).toMatchObject({ program: 'referral' })
})

test('deleting the account ends rewards; ledger entries stay', async () => {
  await using store = await openStore()
  const ray = await addAccount(store, 'Ray')
  const first = await order(store, await cartOf(store, { name: 'Fay', by: ray }), cards[0])
  await deliver(store, first, store.clock.now())
  store.clock.set(store.clock.now().add({ hours: 24 * 30 }))
  expect(await settleReferrals(store)).toBe(1)
  const second = await order(store, await cartOf(store, { name: 'Guy', by: ray }), cards[1])
  await deliver(store, second, store.clock.now())
  const open = await cartOf(store, { name: 'Hal', by: ray })
  await deleteAccount(store, ray)
  store.clock.set(store.clock.now().add({ hours: 24 * 30 }))
  expect(await settleReferrals(store)).toBe(0)
  expect(
    await store.db
      .selectFrom('referral')
      .select('state')
      .where('order_id', '>=', firstPlacedOrder)
      .orderBy('order_id')
      .execute(),
  ).toEqual([{ state: 'earned' }, { state: 'canceled' }])
  expect(
    await store.db
      .selectFrom('ledger_entry')
      .select('amount_cents')
      .where('account', '=', 'store-credit')
      .where('order_id', '>=', firstPlacedOrder)
      .execute(),
  ).toEqual([{ amount_cents: -1000 }])
  expect((await readCart(store, open))?.referral).toBeNull()
})

test('an old link no longer counts, and the one opened last does', async () => {
  await using store = await openStore()
  const [ray, sue] = [await addAccount(store, 'Ray'), await addAccount(store, 'Sue')]
  const cartId = await cartOf(store, { name: 'Fay', by: ray })
  const sues = await referralCodeOf(store, sue)
  await noteReferral(store, cartId, { code: sues, openedAt: store.clock.now().subtract({ hours: 1 }) })
  expect((await readCart(store, cartId))?.referral?.code).toBe(await referralCodeOf(store, ray))
  store.clock.set(store.clock.now().add({ hours: 24 * 30 }))
  expect(await readPrice(store, cartId)).toMatchObject({ program: 'none', notes: [expect.stringContaining('30 days')] })
  await noteReferral(store, cartId, { code: sues, openedAt: store.clock.now() })
  expect(await readPrice(store, cartId)).toMatchObject({ program: 'referral' })
})

test('a friend gets one email per account, and an account sends ten a day', async () => {
  await using store = await openStore()
  const ray = await addAccount(store, 'Ray')
  const emails = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `friend-${from + index}@example.com`)
  expect(await inviteFriends(store, { accountId: ray, emails: emails(0, 4) })).toEqual({ ok: true, value: { sent: 4 } })
  expect(await inviteFriends(store, { accountId: ray, emails: emails(0, 4) })).toEqual({ ok: true, value: { sent: 0 } })
  const presses = await Promise.all(
    [4, 5, 6].map((from) => inviteFriends(store, { accountId: ray, emails: emails(from * 10, 5) })),
  )
  expect(presses.filter(({ ok }) => ok)).toHaveLength(1)
  expect(
    await store.db.selectFrom('message').select('kind').where('kind', '=', 'referral-invite').execute(),
  ).toHaveLength(9)
})

test("refuses the owner's own mailbox in any spelling", async () => {
  await using store = await openStore()
  const ray = await addAccount(store, 'Ray')
  const { email } = await store.db.selectFrom('account').select('email').where('id', '=', ray).executeTakeFirstOrThrow()
  const [name = '', domain = ''] = (email ?? '').split('@')
  for (const own of [`${name}@${domain}`, `${name.toUpperCase()}+tires@${domain}`])
    expect(await inviteFriends(store, { accountId: ray, emails: ['friend@example.com', own] })).toMatchObject({
      ok: false,
      reason: 'own-address',
    })
  expect(await store.db.selectFrom('message').select('kind').where('kind', '=', 'referral-invite').execute()).toEqual(
    [],
  )
})

test("the email to a friend has the sender's first name and no other text of theirs", async () => {
  await using store = await openStore()
  const config = {
    web: { port: 0, origin: 'https://store.example', isSecure: true, proxyHops: 0 },
    store: {
      name: 'Sidewall',
      phone: '(800) 555-0142',
      email: 'help@example.com',
      address: '100 Sample Street, Chicago, IL 60601',
    },
  }
  const friendOf = async (name: string) => {
    const accountId = await addAccount(store, name.replaceAll(/\W/g, ''))
    await store.db.updateTable('account').set({ name }).where('id', '=', accountId).execute()
    must(await inviteFriends(store, { accountId, emails: [`to-${accountId}@example.com`] }))
    const { key } = await store.db
      .selectFrom('message')
      .select('key')
      .where('to_address', '=', `to-${accountId}@example.com`)
      .executeTakeFirstOrThrow()
    return (await inviteMessageValues({ ...store, config }, { key }))['friend']
  }
  expect(await friendOf('Ray Park')).toBe('Ray')
  expect(await friendOf('cheap-pills.example now')).toBe('A friend')
})
