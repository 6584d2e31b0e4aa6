import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { expect, test } from 'vitest'
import { accountDeps, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import {
  asAccount,
  makePaidCart,
  makePlacedOrder,
  must,
  openTestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import type { OutgoingText, TextSender } from './text-sender.port.ts'
import {
  askForTexts,
  chooseAccountPhone,
  deleteAccountText,
  findTextOrder,
  promiseTextTo,
  promiseText,
  receiveText,
  saveCartWish,
  sendText,
} from './texts.server.ts'
import { consentWording, consentWords, textNumber } from './texts.ts'
import { freePorts } from '#tests/support/free-ports.ts'

const [port = 0] = await freePorts(3)
const noon = Temporal.Instant.from('2026-11-20T18:00:00Z')

/** A fake provider that records sent text messages. */
function provider() {
  const sent: OutgoingText[] = []
  let next: 'sent' | 'lost-answer' | 'down' | 'stopped' = 'sent'
  const texts: TextSender = {
    async send(text) {
      if (next === 'down') return { ok: false, reason: 'unavailable', code: null, cause: 'down' }
      if (next === 'stopped') return { ok: false, reason: 'stopped', code: 21610, cause: 'stopped' }
      sent.push(text)
      if (next === 'lost-answer') return { ok: false, reason: 'unavailable', code: null, cause: 'timeout' }
      return { ok: true, ref: `SM${sent.length}` }
    },
    async find({ to, body }) {
      const index = sent.findIndex((text) => text.to === to && text.body === body)
      return { ok: true, ref: index < 0 ? undefined : `SM${index + 1}` }
    },
    isFromProvider: async () => true,
  }
  return { texts, sent, will: (what: typeof next) => (next = what) }
}

async function openTexts() {
  const store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const order = await readOrder(store.db, orderId)
  if (!order) throw new Error('The order of a test is gone.')
  store.clock.set(noon)
  const { texts, sent, will } = provider()
  const phone = textNumber(order.phone) ?? ''
  const deps = { db: store.db, clock: store.clock, texts }
  return {
    ...deps,
    sent,
    will,
    orderId,
    phone,
    ask: () => askForTexts(deps, { orderId, phone: order.phone, networkKey: 'n', words: consentWords('Sidewall') }),
    say: (body: string, ref = `in-${body}-${store.clock.now().toString()}`) =>
      receiveText(deps, { ref, from: phone, body }),
    promise: (key: string) =>
      store.db.transaction().execute((tx) => promiseText(tx, { kind: 'shipped', key, orderId, at: store.clock.now() })),
    queued: () =>
      store.db
        .selectFrom('text_message')
        .select(['id', 'key', 'kind', 'state'])
        .orderBy('created_at')
        .orderBy('key')
        .execute(),
    /** Sends everything queued, as the worker does. */
    async work() {
      for (const { id, kind } of await this.queued())
        await sendText(deps, id, async () => ({ body: `Sidewall: ${kind}`, zipZone: null }))
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

test('twenty opt-in requests send one question, and no other texts before YES', async () => {
  await using phone = await openTexts()
  const outcomes = await Promise.all(Array.from({ length: 20 }, phone.ask))
  expect(outcomes).toEqual(outcomes.map(() => ({ ok: true, value: { mustConfirm: true } })))
  await phone.promise('shipped:1')
  await phone.work()
  await phone.work()
  expect(phone.sent).toEqual([{ to: phone.phone, body: 'Sidewall: confirm-request' }])
  await phone.say('YES', 'in-1')
  await phone.say('YES', 'in-1')
  expect(await findTextOrder(phone, phone.orderId)).toEqual({ phone: phone.phone, state: 'confirmed' })
  await Promise.all([phone.promise('shipped:1'), phone.promise('shipped:1')])
  await phone.work()
  expect(phone.sent.map(({ body }) => body).toSorted()).toEqual([
    'Sidewall: confirm-request',
    'Sidewall: shipped',
    'Sidewall: welcome',
  ])
  const events = await phone.db
    .selectFrom('text_consent_event')
    .select(['what', 'words'])
    .where('what', '=', 'confirmed')
    .execute()
  expect(events).toEqual([{ what: 'confirmed', words: 'YES' }])
})

test('STOP applies immediately, including queued texts, until START', async () => {
  await using phone = await openTexts()
  await phone.ask()
  await phone.say('yes')
  await phone.promise('shipped:1')
  await phone.say('Stop.')
  await phone.work()
  expect(phone.sent).toEqual([])
  expect(await phone.ask()).toMatchObject({ reason: 'stopped' })
  await phone.say('YES')
  await phone.promise('shipped:2')
  await phone.work()
  expect(phone.sent).toEqual([])
  const quote = () =>
    phone.db
      .transaction()
      .execute((tx) => promiseTextTo(tx, { kind: 'quote', key: 'quote:1', phone: phone.phone, at: noon }))
  expect(await quote()).toBe(false)
  await phone.say('START')
  expect(await quote()).toBe(true)
})

test('a phone that stopped at the provider is noted as stopped', async () => {
  await using phone = await openTexts()
  await phone.ask()
  await phone.say('yes')
  await phone.promise('shipped:1')
  phone.will('stopped')
  await phone.work()
  expect((await findTextOrder(phone, phone.orderId))?.state).toBe('stopped')
})

test('sends no texts at night, except replies to the phone’s owner', async () => {
  await using phone = await openTexts()
  await phone.ask()
  await phone.say('yes')
  await phone.work()
  const before = phone.sent.length
  await phone.promise('shipped:1')
  // Eight in the evening in Chicago.
  const night = Temporal.ZonedDateTime.from('2026-11-20T20:00[America/Chicago]').toInstant()
  const [text] = (await phone.queued()).filter(({ kind }) => kind === 'shipped')
  const atNight = { ...phone, clock: { now: () => night } }
  await sendText(atNight, text?.id ?? '', async () => ({ body: 'x', zipZone: null }))
  expect(phone.sent).toHaveLength(before)
  expect((await phone.queued()).find(({ kind }) => kind === 'shipped')?.state).toBe('queued')
  await phone.work()
  expect(phone.sent).toHaveLength(before + 1)
})

test('an answer that was lost on the way is looked for before the text is sent again', async () => {
  await using phone = await openTexts()
  await phone.ask()
  phone.will('lost-answer')
  await expect(phone.work()).rejects.toThrow('down')
  phone.will('sent')
  await phone.work()
  expect(phone.sent).toHaveLength(1)
  expect((await phone.queued()).map(({ state }) => state)).toEqual(['sent'])
})

test('the checkout box texts the order’s phone once, with the accepted wording', async () => {
  await using store = await openTestStore(port)
  const plain = await makePaidCart(store)
  const { orderId: silent } = must(await placeOrder(store, plain))
  const words = consentWords('Sidewall')
  const input = await makePaidCart(store)
  await saveCartWish(store, { cartId: input.cartId, words })
  const placed = await Promise.all(Array.from({ length: 5 }, () => placeOrder(store, input)))
  const [orderId = 0, ...others] = new Set(placed.map((each) => must(each).orderId))
  expect(others).toEqual([])
  expect(await findTextOrder(store, silent)).toBeUndefined()
  expect(await findTextOrder(store, orderId)).toMatchObject({ state: 'asked' })
  const events = await store.db.selectFrom('text_consent_event').select(['what', 'words', 'wording']).execute()
  expect(events).toEqual([{ what: 'asked', words, wording: consentWording }])
  const texts = await store.db.selectFrom('text_message').select(['kind', 'order_id as orderId']).execute()
  expect(texts).toEqual([{ kind: 'confirm-request', orderId }])

  // If unchecked again, no confirmation is requested.
  const changed = await makePaidCart(store)
  await saveCartWish(store, { cartId: changed.cartId, words })
  await saveCartWish(store, { cartId: changed.cartId, words: null })
  expect(await findTextOrder(store, must(await placeOrder(store, changed)).orderId)).toBeUndefined()
})

test('an account’s phone gets order texts until removed, and few numbers get the opt-in text', async () => {
  await using store = await openTestStore(port)
  const { accountId } = await signInAs(accountDeps(store.db))
  const own = asAccount(store, accountId)
  const deps = { ...store, rateLimits: createRateLimits(store) }
  const choose = (phone: string) =>
    chooseAccountPhone(deps, { accountId, phone, networkKey: 'n', words: consentWords('Sidewall') })
  const { orderId: before } = await makePlacedOrder(own)
  const order = await readOrder(store.db, before)
  const phone = order?.phone ?? ''
  for (let times = 0; times < 20; times += 1)
    expect(await choose(phone)).toMatchObject({ value: { mustConfirm: true } })
  await receiveText(store, { ref: 'in-1', from: textNumber(phone) ?? '', body: 'YES' })
  expect(await choose(phone)).toMatchObject({ value: { mustConfirm: false } })
  const { orderId: after } = await makePlacedOrder(own)
  expect(await findTextOrder(store, before)).toBeUndefined()
  expect(await findTextOrder(store, after)).toMatchObject({ state: 'confirmed' })
  const { orderId: guest } = await makePlacedOrder(store)
  expect(await findTextOrder(store, guest)).toBeUndefined()

  await deleteAccountText(store.db, accountId)
  const { orderId: last } = await makePlacedOrder(own)
  expect(await findTextOrder(store, last)).toBeUndefined()
  for (const number of ['3125550101', '3125550102']) expect(await choose(number)).toMatchObject({ ok: true })
  expect(await choose('3125550103')).toMatchObject({ reason: 'too-many' })
  expect(await choose('555')).toMatchObject({ reason: 'no-mobile-number' })
})
