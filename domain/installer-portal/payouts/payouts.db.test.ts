/**
 * Installer payouts, tested with the database and the payout provider's sandbox. Over 400 lines: cases that share a
 * shop and its finished jobs.
 */
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createStripePayouts } from '#adapters/payments/stripe-payouts.ts'
import { makePlacedOrder, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { findPortalSession, openPortal, type PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import { addApiClient } from '#domain/kernel/staff/staff.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import type { Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { signatureHeader } from '#sandbox/signature.ts'
import { startReceiver, testSecrets, type Received } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  adjustPay,
  answerDispute,
  decideAdjustment,
  findDisputePhoto,
  forgetOldDisputePhotos,
  listRefusedPay,
  listShopPay,
  openBankPage,
  openDispute,
  readEarnings,
  readMatrix,
  readPayInTime,
  readPayOverview,
  readStatement,
  receivePayoutEvent,
  refreshAccount,
  reversePay,
  selectDisputes,
  selectTransfers,
  sendDuePayouts,
  sendPayNow,
  setRate,
  startJobPay,
} from './payouts.server.ts'
import { rateForm } from './payouts.ts'
import { weekOf } from './statement.ts'

const [port = 0] = await freePorts(3)
const issuer = 'https://id.example'
const second = { via: 'command line', name: 'second' } as const
const silent = { warn: () => {} }
const urls = { returnUrl: 'https://store.example/back', refreshUrl: 'https://store.example/again' }

/** The store with one order at a shop, the shop, and its owner in the portal. */
async function openPayStore() {
  const store = await openTestStore(port, { webhookUrl: `http://127.0.0.1:${port + 2}/webhooks/payments` })
  const payouts = createStripePayouts({
    apiOrigin: store.sandbox.origin,
    secretKey: testSecrets.stripeSecretKey,
    webhookSecrets: [testSecrets.webhookSecret],
    clock: store.clock,
  })
  const { orderId } = await makePlacedOrder(store)
  const booking = await store.db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['booking.id', 'shop.id as shopId', 'shop.code', 'shop.time_zone as timeZone'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const { shopId, timeZone } = booking
  await store.db
    .insertInto('shop_member')
    .values({
      id: newId(),
      shop_id: shopId,
      email: 'payee@example.com',
      name: 'Pat',
      role: 'owner',
      added_at: store.clock.now(),
      added_by: 'test',
    })
    .execute()
  return {
    ...store,
    log: silent,
    rateLimits: noRateLimits,
    payouts,
    orderId,
    bookingId: booking.id,
    shopId,
    timeZone,
    code: booking.code,
  }
}
type PayStore = Awaited<ReturnType<typeof openPayStore>>

const start = (store: PayStore, kind: 'finished' | 'no-show' = 'finished') =>
  store.db
    .transaction()
    .execute((tx: Tx) => startJobPay(tx, { bookingId: store.bookingId, kind, at: store.clock.now() }))

async function signIn(store: PayStore): Promise<PortalActor> {
  const person = { subject: 'pat', email: 'payee@example.com', isEmailVerified: true, name: 'Pat' }
  const config = { session: { secret: 'a secret for tests only' } }
  const opened = await openPortal(
    { ...store, config },
    { issuer, person, idToken: null, authenticatedAt: store.clock.now(), session: undefined },
  )
  const session = await findPortalSession(store, must(opened).cookie)
  if (!session) throw new Error('The owner is not in.')
  return { sessionId: session.sessionId, shopId: store.shopId }
}

/** Disputes as the shop does, with a photo if there is one. */
const dispute = (
  store: PayStore,
  by: PortalActor,
  about: { kind: 'job' | 'adjustment'; id: string },
  photo: Uint8Array | null = null,
) =>
  openDispute(
    store,
    by,
    { about, words: 'We mounted all four tires.', photo: photo && { name: 'balance.png', bytes: photo } },
    { networkKey: 'n' },
  )

/** Enters the bank details of the shop as its owner does. */
async function enterBank(store: PayStore, by: PortalActor, account = '000123456789'): Promise<void> {
  const { url } = must(await openBankPage(store, by, urls))
  await fetch(url, { method: 'POST', body: new URLSearchParams({ routing: '110000000', account }), redirect: 'manual' })
  await refreshAccount(store, store.shopId)
}

const pass = (store: PayStore, duration: Temporal.DurationLike) => store.clock.set(store.clock.now().add(duration))
const transfersOf = async (store: PayStore) =>
  (await selectTransfers(store.db, store.shopId)).map(({ state, amountCents }) => [state, amountCents])
const owed = async (store: PayStore) => (await readPayOverview(store, store)).owedCents
const mailsOf = (store: TestStore, kind: string) =>
  store.db.selectFrom('message').select('to_address').where('kind', '=', kind).execute()
const adjust = (store: PayStore, amountCents: number, over: { kind?: 'chargeback'; submission?: string } = {}) =>
  adjustPay(store, desk, {
    shopId: store.shopId,
    jobPayId: null,
    kind: 'adjustment',
    amountCents,
    reason: 'A test',
    submission: newId(),
    ...over,
  })

test('a payout starts once under concurrent calls, at the payout rates, and is due after the hold', async () => {
  await using store = await openPayStore()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => start(store)))
  const values = outcomes.map(must)
  expect(values.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(new Set(values.map(({ jobPayId }) => jobPayId)).size).toBe(1)
  expect(values[0]?.amountCents).toBe(4 * 2_200)
  const at = store.clock.now()
  const row = await store.db.selectFrom('job_pay').selectAll().executeTakeFirstOrThrow()
  expect([row.due_at, row.dispute_until].map(String)).toEqual(
    [at.add({ hours: 46 }), at.add({ hours: 168 })].map(String),
  )
  expect(await start(store, 'no-show')).toMatchObject({ reason: 'paid-otherwise' })
  await verify(store.db, at)
})

test('a no-show pays the configured fee, and a missing appointment pays no fee', async () => {
  await using store = await openPayStore()
  expect(must(await start(store, 'no-show'))).toMatchObject({ amountCents: 1_500, isNew: true })
  expect(await start({ ...store, bookingId: newId() })).toMatchObject({ reason: 'no-work' })
  await verify(store.db, store.clock.now())
})

test('payouts, lines, decided adjustments, and past rates can’t be edited', async () => {
  await using store = await openPayStore()
  must(await start(store))
  must(await adjust(store, 500))
  for (const statement of [
    'update job_pay set amount_cents = 1',
    'delete from job_pay_line',
    "update pay_adjustment set reason = 'other'",
    'update pay_rate set cents = 1500',
    'delete from pay_rate',
  ])
    await expect(sql.raw(statement).execute(store.db), statement).rejects.toThrow(/only/)
  await expect(
    sql`insert into pay_rate select gen_random_uuid(), job, state_code, 16, 18, cents, valid, made_at, made_by from pay_rate limit 1`.execute(
      store.db,
    ),
  ).rejects.toThrow('pay_rate_once')
})

test('a rate changes from a day to come, once, and the day of the job decides', async () => {
  await using store = await openPayStore()
  const typed = { job: 'standard', band: '2', state: '', amount: '24.00' }
  const from = (startsOn: string) => rateForm.parse({ ...typed, startsOn })
  const today = store.clock.now().toZonedDateTimeISO('America/New_York').toPlainDate()
  const tomorrow = today.add({ days: 1 }).toString()
  expect(await setRate(store, desk, from(today.toString()))).toMatchObject({ reason: 'not-in-future' })
  must(await setRate(store, desk, from(tomorrow)))
  must(await setRate(store, desk, from(tomorrow)))
  expect(await setRate(store, desk, from(today.add({ days: 9 }).toString()))).toMatchObject({
    reason: 'planned-already',
  })
  expect((await readMatrix(store)).filter(({ job, rimFromIn }) => job === 'standard' && rimFromIn === 17)).toHaveLength(
    2,
  )
  const act = await store.db.selectFrom('audit_entry').select('act').where('act', '=', 'pay-matrix.changed').execute()
  expect(act).toHaveLength(1)
  pass(store, { hours: 48 })
  expect(must(await start(store)).amountCents).toBe(4 * 2_400)
  await verify(store.db, store.clock.now())
})

test('a job shows what it earns before it is done, equal to the statement after it', async () => {
  await using store = await openPayStore()
  const earnings = async (day: Temporal.PlainDate) =>
    (await readEarnings(store, store, [{ bookingId: store.bookingId, day }])).get(store.bookingId)
  const today = store.clock.now().toZonedDateTimeISO(store.timeZone).toPlainDate()
  const later = today.add({ days: 2 })
  const startsOn = later.toString()
  must(await setRate(store, desk, rateForm.parse({ job: 'standard', band: '2', state: '', amount: '24.00', startsOn })))
  expect(await earnings(today)).toMatchObject({ paid: null, amountCents: 4 * 2_200 })
  const before = await earnings(later)
  expect(before).toMatchObject({ paid: null, amountCents: 4 * 2_400, lines: [{ quantity: 4, rateCents: 2_400 }] })
  // The rate of a tire covers the kits and the disposal that the customer paid for.
  const services = await store.db
    .selectFrom('order_line')
    .innerJoin('booking', 'booking.order_id', 'order_line.order_id')
    .select(['order_line.kind', 'order_line.quantity'])
    .where('booking.id', '=', store.bookingId)
    .where('order_line.kind', 'in', ['service-kit', 'disposal'])
    .orderBy('order_line.kind', 'desc')
    .execute()
  expect(services.length).toBeGreaterThan(0)
  expect(before?.included).toEqual(services)
  // A day that has passed is paid by today's rate.
  pass(store, { hours: 48 })
  expect((await earnings(today))?.amountCents).toBe(before?.amountCents)

  must(await start(store))
  const after = await earnings(later)
  expect(after).toMatchObject({ paid: { kind: 'finished' }, amountCents: before?.amountCents })
  const week = weekOf(store.clock.now().toZonedDateTimeISO(store.timeZone).toPlainDate())
  const [line] = (await readStatement(store.db, store.shopId, week)).lines
  expect(line?.amountCents).toBe(before?.amountCents)
  expect(line?.tires).toEqual(after?.lines)
  expect(before?.lines).toMatchObject(line?.tires ?? [{}])
})

test('what a job of another shop earns is not read', async () => {
  await using store = await openPayStore()
  const other = { ...store, shopId: store.shopId + 1 }
  expect(
    await readEarnings(store, other, [{ bookingId: store.bookingId, day: Temporal.PlainDate.from('2026-11-24') }]),
  ).toEqual(new Map())
})

test('a statement covers a week in the shop’s time zone and carries a negative balance forward', async () => {
  await using store = await openPayStore()
  must(await start(store))
  pass(store, { minutes: 1 })
  must(await adjust(store, -9_500, { kind: 'chargeback' }))
  const week = weekOf(store.clock.now().toZonedDateTimeISO(store.timeZone).toPlainDate())
  const now = await readStatement(store.db, store.shopId, week)
  expect(now.lines.map(({ kind, words, amountCents }) => [kind, words, amountCents])).toEqual([
    ['finished', 'Dana R., 2021 RAV4', 8_800],
    ['chargeback', 'A test', -9_500],
  ])
  expect(now.totals.totalCents).toBe(-700)
  expect(now.carriedCents).toBe(0)
  const next = await readStatement(store.db, store.shopId, week.add({ days: 7 }))
  expect(next.lines).toHaveLength(0)
  expect(next.carriedCents).toBe(-700)
  const listed = await listShopPay(store.db, { after: null, limit: 1_000 })
  expect(listed.shops.find(({ code }) => code === store.code)?.balance.owedCents).toBe(-700)
})

test('a correction acts once, and above the limit needs a second person', async () => {
  await using store = await openPayStore()
  const submission = newId()
  const both = await Promise.all([adjust(store, 500, { submission }), adjust(store, 500, { submission })])
  expect(must(both[0]).id).toBe(must(both[1]).id)
  const { id, state } = must(await adjust(store, -10_001, { kind: 'chargeback' }))
  expect(state).toBe('proposed')
  expect(await owed(store)).toBe(500)
  const decide = (by: typeof desk, isApproved = true) =>
    decideAdjustment(store, by, { shopId: store.shopId, id, isApproved })
  expect(await decide(desk)).toMatchObject({ reason: 'own-proposal' })
  expect(await decideAdjustment(store, second, { shopId: store.shopId + 1, id, isApproved: true })).toMatchObject({
    reason: 'not-found',
  })
  must(await decide(second))
  expect(await decide(second)).toMatchObject({ reason: 'decided-already' })
  expect(await owed(store)).toBe(-9_501)
  await verify(store.db, store.clock.now())
})

test('a shop disputes once within the window, and the office answers once', async () => {
  await using store = await openPayStore()
  const by = await signIn(store)
  const about = { kind: 'job', id: must(await start(store)).jobPayId } as const
  const opened = await Promise.all([1, 2].map(() => dispute(store, by, about)))
  expect(opened.filter((each) => each.ok)).toHaveLength(1)
  expect(await dispute(store, by, { kind: 'adjustment', id: about.id })).toMatchObject({ reason: 'not-found' })
  const [found] = await selectDisputes(store.db, store.shopId)
  const answer = {
    shopId: store.shopId,
    id: found?.id ?? '',
    answer: 'You are right.',
    amountCents: 2_200,
    submission: newId(),
  }
  must(await answerDispute(store, desk, answer))
  expect(await answerDispute(store, desk, answer)).toMatchObject({ reason: 'answered-already' })
  expect((await selectDisputes(store.db, store.shopId))[0]?.state).toBe('granted')
  expect(await owed(store)).toBe(11_000)
  await verify(store.db, store.clock.now())
})

test('a dispute is accepted until its deadline, and refused a second later with the deadline', async () => {
  await using store = await openPayStore()
  const at = store.clock.now()
  const until = at.add({ hours: 7 * 24 })
  const job = { kind: 'job', id: must(await start(store)).jobPayId } as const
  const late = { kind: 'adjustment', id: must(await adjust(store, -100)).id } as const
  store.clock.set(until)
  must(await dispute(store, await signIn(store), job))
  store.clock.set(until.add({ seconds: 1 }))
  const refusal = await dispute(store, await signIn(store), late)
  const said = !refusal.ok && refusal.reason === 'too-late' ? refusal.detail.until.toString() : refusal
  expect(said).toBe(until.toString())
  expect(await selectDisputes(store.db, store.shopId)).toHaveLength(1)
})

test('a dispute’s photo is stored without its file’s name, and expires after the answer', async () => {
  await using store = await openPayStore()
  const by = await signIn(store)
  const about = { kind: 'job', id: must(await start(store)).jobPayId } as const
  expect(await dispute(store, by, about, new Uint8Array([1, 2, 3]))).toMatchObject({ reason: 'photo' })
  const red = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  must(await dispute(store, by, about, red))
  const [found] = await selectDisputes(store.db, store.shopId)
  expect(found).toMatchObject({ hasPhoto: true, state: 'open' })
  const of = { shopCode: store.code, id: found?.id ?? '' }
  expect(await findDisputePhoto(store, of)).toMatchObject({ name: 'Dispute.webp' })
  expect(await findDisputePhoto(store, { ...of, shopCode: 'SW-99999' })).toBeUndefined()
  const now = store.clock.now()
  expect(await forgetOldDisputePhotos(store.db, now.add({ hours: 24 }))).toBe(0)
  const answer = { shopId: store.shopId, id: of.id, answer: 'You are right.', amountCents: null, submission: newId() }
  must(await answerDispute(store, desk, answer))
  expect(await forgetOldDisputePhotos(store.db, now.add({ seconds: 1 }))).toBe(1)
  expect(await findDisputePhoto(store, of)).toBeUndefined()
  expect((await selectDisputes(store.db, store.shopId))[0]).toMatchObject({ hasPhoto: false, state: 'declined' })
})

test('a program adjusts pay up to the limit and can’t request more', async () => {
  await using store = await openPayStore()
  const identity = { issuer }
  const added = { name: 'Payroll', clientId: 'payroll', role: 'finance' }
  const { id: clientId } = must(await addApiClient({ ...store, identity }, desk, added))
  const by = { via: 'api', name: added.name, clientId, scopes: ['pay.adjust'] } as const
  const { jobPayId } = must(await start(store))
  const before = await owed(store)
  const asked = { shopId: store.shopId, jobPayId: null, kind: 'adjustment', reason: 'A correction' } as const
  const give = (amountCents: number) => adjustPay(store, by, { ...asked, amountCents, submission: newId() })
  expect(must(await give(500)).state).toBe('approved')
  expect(await give(100_000)).toMatchObject({ reason: 'over-your-limit' })
  const about = { kind: 'job', id: jobPayId } as const
  must(await dispute(store, await signIn(store), about))
  const [found] = await selectDisputes(store.db, store.shopId)
  const answer = { shopId: store.shopId, id: found?.id ?? '', answer: 'You are right.', submission: newId() }
  expect(await answerDispute(store, by, { ...answer, amountCents: 100_000 })).toMatchObject({
    reason: 'over-your-limit',
  })
  expect((await selectDisputes(store.db, store.shopId))[0]?.state).toBe('open')
  expect(await answerDispute(store, { ...by, scopes: [] }, { ...answer, amountCents: 300 })).toMatchObject({
    reason: 'not-allowed',
  })
  must(await answerDispute(store, by, { ...answer, amountCents: 300 }))
  expect(await owed(store)).toBe(before + 800)
  await verify(store.db, store.clock.now())
})

test('a due payout waits for bank details, notifies owners once, and is sent when they arrive', async () => {
  await using store = await openPayStore()
  must(await start(store))
  await sendDuePayouts(store)
  expect(await mailsOf(store, 'shop-pay-waits')).toEqual([])
  pass(store, { hours: 49 })
  await sendDuePayouts(store)
  await sendDuePayouts(store)
  expect((await mailsOf(store, 'shop-pay-waits')).map((mail) => mail.to_address)).toContain('payee@example.com')
  const told = (await mailsOf(store, 'shop-pay-waits')).length
  const by = await signIn(store)
  await enterBank(store, by)
  await Promise.all([sendDuePayouts(store), sendDuePayouts(store)])
  await sendDuePayouts(store)
  expect(await transfersOf(store)).toEqual([['sent', 8_800]])
  expect(await owed(store)).toBe(0)
  expect(await mailsOf(store, 'shop-pay-waits')).toHaveLength(told)
  await verify(store.db, store.clock.now())
})

test('a payout counts as late only once the account is ready', async () => {
  await using store = await openPayStore()
  const inTime = () => {
    const now = store.clock.now()
    const lately = now.subtract({ hours: 24 })
    return readPayInTime(store.db, { since: now.subtract({ hours: 720 }), lately, now, withinHours: 48 })
  }
  must(await start(store))
  must(await openBankPage(store, await signIn(store), urls))
  pass(store, { hours: 72 })
  await enterBank(store, await signIn(store))
  expect(await inTime()).toMatchObject({ good: 0, bad: 0, late: 0 })
  pass(store, { hours: 49 })
  expect(await inTime()).toMatchObject({ good: 0, bad: 1, lastBad: 1, late: 1 })
  await sendDuePayouts(store)
  expect(await inTime()).toMatchObject({ good: 0, bad: 1, late: 0 })
})

test('pay leaves within 48 hours of the job, by runs every five minutes, whatever hold was set before it had a limit', async () => {
  await using store = await openPayStore()
  await enterBank(store, await signIn(store))
  await store.db
    .insertInto('store_setting')
    .values({ name: 'pay-hold-hours', value: '240', changed_at: store.clock.now(), changed_by: 'test' })
    .execute()
  const at = store.clock.now()
  must(await start(store))
  for (let minutes = 0; minutes <= 48 * 60; minutes += 60) {
    store.clock.set(at.add({ minutes }))
    await sendDuePayouts(store)
  }
  const { sent_at: sentAt } = await store.db.selectFrom('pay_transfer').select('sent_at').executeTakeFirstOrThrow()
  expect(sentAt?.since(at).total('hours')).toBeLessThan(48)
  pass(store, { hours: 4 })
  const [since, now] = [at, store.clock.now()]
  expect(await readPayInTime(store.db, { since, lately: since, now, withinHours: 48 })).toMatchObject({
    good: 1,
    bad: 0,
  })
  expect((await verify(store.db, now)).filter(({ name }) => name.includes('pay'))).toEqual([])
})

test('pay that waited for bank details is in time when it is sent as they come', async () => {
  await using store = await openPayStore()
  must(await start(store))
  pass(store, { hours: 72 })
  await enterBank(store, await signIn(store))
  await sendDuePayouts(store)
  pass(store, { hours: 49 })
  const now = store.clock.now()
  const since = now.subtract({ hours: 720 })
  expect(await readPayInTime(store.db, { since, lately: since, now, withinHours: 48 })).toMatchObject({
    good: 1,
    bad: 0,
  })
})

test('changing bank details requires a recent sign-in and notifies all owners', async () => {
  await using store = await openPayStore()
  const by = await signIn(store)
  await enterBank(store, by)
  expect(await mailsOf(store, 'shop-bank-change')).toEqual([])
  must(await openBankPage(store, by, urls))
  must(await openBankPage(store, by, urls))
  const owners = await store.db
    .selectFrom('shop_member')
    .select('email')
    .where('shop_id', '=', store.shopId)
    .where('role', '=', 'owner')
    .execute()
  expect((await mailsOf(store, 'shop-bank-change')).map((mail) => mail.to_address).toSorted()).toEqual(
    owners.map(({ email }) => email).toSorted(),
  )
  pass(store, { minutes: 11 })
  expect(await openBankPage(store, by, urls)).toMatchObject({ reason: 'not-fresh' })
})

test('a transfer with a lost response is sent once, even after its key expires', async () => {
  await using store = await openPayStore()
  must(await start(store))
  await enterBank(store, await signIn(store))
  pass(store, { hours: 49 })
  // The provider completes the transfer, but the process crashes before it receives the response.
  const deaf = {
    ...store,
    payouts: {
      ...store.payouts,
      async sendTransfer(input: Parameters<typeof store.payouts.sendTransfer>[0]) {
        await store.payouts.sendTransfer(input)
        throw new Error('The process died.')
      },
    },
  }
  await expect(sendDuePayouts(deaf)).rejects.toThrow('died')
  expect(await transfersOf(store)).toEqual([['intended', 8_800]])
  pass(store, { hours: 30 })
  await sendDuePayouts(store)
  expect(await transfersOf(store)).toEqual([['sent', 8_800]])
  const { data } = (await (
    await fetch(`${store.sandbox.origin}/v1/events?type=transfer.created`, {
      headers: { authorization: `Bearer ${testSecrets.stripeSecretKey}` },
    })
  ).json()) as { data: unknown[] }
  expect(data).toHaveLength(1)
  await verify(store.db, store.clock.now())
})

test('concurrent runs call the provider once', async () => {
  await using store = await openPayStore()
  must(await start(store))
  await enterBank(store, await signIn(store))
  pass(store, { hours: 49 })
  const dying = {
    ...store,
    payouts: { ...store.payouts, sendTransfer: () => Promise.reject(new Error('The process died.')) },
  }
  await expect(sendDuePayouts(dying)).rejects.toThrow('died')
  let asked = 0
  const counting = {
    ...store,
    payouts: {
      ...store.payouts,
      sendTransfer(input: Parameters<typeof store.payouts.sendTransfer>[0]) {
        asked++
        return store.payouts.sendTransfer(input)
      },
    },
  }
  const twice = () => Promise.all([sendDuePayouts(counting), sendDuePayouts(counting)])
  await twice()
  expect(asked).toBe(0)
  expect(await transfersOf(store)).toEqual([['intended', 8_800]])
  pass(store, { minutes: 5 })
  await twice()
  expect(asked).toBe(1)
  expect(await transfersOf(store)).toEqual([['sent', 8_800]])
})

test('what the provider refuses is due again', async () => {
  await using store = await openPayStore()
  must(await start(store))
  await enterBank(store, await signIn(store))
  pass(store, { hours: 49 })
  const refusing = {
    ...store,
    payouts: {
      ...store.payouts,
      sendTransfer: () => Promise.resolve({ ok: false, reason: 'refused-input', message: 'No.' } as const),
    },
  }
  await sendDuePayouts(refusing)
  expect(await transfersOf(store)).toEqual([['refused', 8_800]])
  expect(await owed(store)).toBe(8_800)
  expect(await listRefusedPay(store.db, 5)).toMatchObject([{ code: store.code, amountCents: 8_800 }])
  // The second wait is twice the first.
  await sendDuePayouts(refusing)
  pass(store, { minutes: 15 })
  await sendDuePayouts(refusing)
  pass(store, { minutes: 29 })
  await sendDuePayouts(store)
  expect(await transfersOf(store)).toEqual([
    ['refused', 8_800],
    ['refused', 8_800],
  ])
  pass(store, { minutes: 1 })
  await sendDuePayouts(store)
  expect((await transfersOf(store))[0]).toEqual(['sent', 8_800])
  expect(await owed(store)).toBe(0)
  expect(await listRefusedPay(store.db, 5)).toEqual([])
  await verify(store.db, store.clock.now())
})

test('staff resend rejected payouts immediately, and a changed bank account is retried immediately', async () => {
  await using store = await openPayStore()
  must(await start(store))
  await enterBank(store, await signIn(store))
  pass(store, { hours: 49 })
  const refusing = {
    ...store,
    payouts: {
      ...store.payouts,
      sendTransfer: () => Promise.resolve({ ok: false, reason: 'refused-input', message: 'No.' } as const),
    },
  }
  await sendDuePayouts(refusing)
  expect(await sendPayNow(refusing, desk, store.shopId)).toMatchObject({ reason: 'refused' })
  pass(store, { minutes: 1 })
  must(await sendPayNow(store, desk, store.shopId))
  expect((await transfersOf(store))[0]).toEqual(['sent', 8_800])
  expect(await owed(store)).toBe(0)
  expect(await sendPayNow(store, desk, store.shopId)).toMatchObject({ reason: 'nothing-due' })
  must(await adjust(store, 1_000))
  await sendDuePayouts(refusing)
  pass(store, { minutes: 1 })
  await enterBank(store, await signIn(store))
  await sendDuePayouts(store)
  expect((await transfersOf(store))[0]).toEqual(['sent', 1_000])
  await verify(store.db, store.clock.now())
})

test('a chargeback after the payout is carried below zero, taken back from the transfer, and never sent', async () => {
  await using store = await openPayStore()
  must(await start(store))
  await enterBank(store, await signIn(store))
  pass(store, { hours: 49 })
  await sendDuePayouts(store)
  must(await adjust(store, -3_000, { kind: 'chargeback' }))
  await sendDuePayouts(store)
  expect(await transfersOf(store)).toEqual([['sent', 8_800]])
  expect(await owed(store)).toBe(-3_000)
  const transferId = (await selectTransfers(store.db, store.shopId))[0]?.id ?? ''
  const back = { shopId: store.shopId, transferId, amountCents: 3_000, submission: newId() }
  must(await reversePay(store, desk, back))
  must(await reversePay(store, desk, back))
  expect(await owed(store)).toBe(0)
  expect(await reversePay(store, desk, { ...back, amountCents: 6_000, submission: newId() })).toMatchObject({
    reason: 'too-much',
  })
  expect(await reversePay(store, desk, { ...back, shopId: store.shopId + 1 })).toMatchObject({ reason: 'not-found' })
  await sendDuePayouts(store)
  expect(await transfersOf(store)).toEqual([['sent', 8_800]])
  await verify(store.db, store.clock.now())
})

test('messages of the provider, repeated and shuffled, end in the same state', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openPayStore()
  must(await start(store))
  await enterBank(store, await signIn(store), '000111111113')
  pass(store, { hours: 49 })
  await sendDuePayouts(store)
  const transferId = (await selectTransfers(store.db, store.shopId))[0]?.id ?? ''
  const { ref } = (await selectTransfers(store.db, store.shopId))[0] ?? {}
  must(await reversePay(store, desk, { shopId: store.shopId, transferId, amountCents: 1_000, submission: newId() }))
  const again = await store.payouts.reverseTransfer({
    ref: ref ?? '',
    amountCents: 500,
    key: 'reversed-by-the-provider',
  })
  expect(again.ok).toBe(true)
  pass(store, { seconds: 6 })
  await store.sandbox.catchUp()
  const isOurs = ({ body }: Received) => /"(account\.updated|transfer\.reversed|payout\.(paid|failed))"/.test(body)
  const messages = receiver.received.filter(isOurs)
  expect(messages.length).toBeGreaterThanOrEqual(4)
  // Sent again, a message is signed again.
  const take = async ({ body }: Received) =>
    must(await receivePayoutEvent(store, body, signatureHeader(body, testSecrets.webhookSecret, store.clock.now())))
  for (const message of [...messages.toReversed(), ...messages]) expect(await take(message)).toBe('received')
  const overview = await readPayOverview(store, store)
  expect(overview.owedCents).toBe(1_500)
  expect(overview.sentCents).toBe(7_300)
  expect(overview.bank).toMatchObject([{ amountCents: 8_800, state: 'failed' }])
  expect(await receivePayoutEvent(store, messages[0]?.body ?? '', 't=1,v1=00')).toMatchObject({
    reason: 'bad-signature',
  })
  await verify(store.db, store.clock.now())
})
