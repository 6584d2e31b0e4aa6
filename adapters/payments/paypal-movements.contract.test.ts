/** What moved on the PayPal account, read from the sandbox's Transaction Search. */
import { expect, test } from 'vitest'
import type { Movement, MovementPage } from '#domain/payments/payments/provider-records.port.ts'
import { paypalTest, startTestSandbox, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createPayPalRecords } from './paypal-records.ts'
import { actOnDispute, capturedCharge, disputedCharge, valueOf } from './paypal.testing.ts'
import { createPayPalPayments } from './paypal.ts'

const [port = 0] = await freePorts(3)

function storeAt({ origin, clock }: TestSandbox) {
  const access = { ...paypalTest, apiOrigin: `${origin}/paypal`, clock }
  return { payments: createPayPalPayments(access), records: createPayPalRecords(access) }
}

test('everything that moved is listed by page, hours later, with its order, refund and dispute', async () => {
  await using sandbox = await startTestSandbox(port)
  const { payments, records } = storeAt(sandbox)
  const started = sandbox.clock.now()
  const charged: string[] = []
  for (let at = 0; at < 3; at += 1) charged.push(await disputedCharge(sandbox, payments, { at, act: 'chargeback' }))
  // Claimed at PayPal, held there, and lost.
  const claimed = await disputedCharge(sandbox, payments, { at: 3 })
  valueOf(await records.acceptDispute({ ref: 'PP-D-100003', key: 'accept' }))
  const [order = ''] = charged
  await actOnDispute(sandbox.origin, order, { act: 'won' })
  const refunded = await capturedCharge(payments, { reference: 'refunded' })
  const { refundRef } = valueOf(await payments.refundCharge({ ref: refunded, amountCents: 1_230, key: 'refund:1' }))

  const asked = { from: started, after: null }
  const soon = valueOf(await records.listMovements({ ...asked, until: sandbox.clock.now() }))
  expect(soon).toMatchObject({ movements: [], next: null })
  expect(soon.listedUntil?.until(sandbox.clock.now()).total('hours')).toBe(3)
  await sandbox.pass({ hours: 24 * 40 })
  const until = sandbox.clock.now()
  const listed = await allMovements(records, { from: started, until })
  const about = (ref: string) =>
    listed
      .filter(({ chargeRef, reference }) => chargeRef === `paypal:${ref}` || reference === ref)
      .map(({ kind, amountCents, disputeRef }) => [kind, amountCents, disputeRef])
  expect(about(order)).toEqual([
    ['charge', 76_614, null],
    ['dispute', -76_614, 'PP-D-100000'],
    ['fee', -2_000, 'PP-D-100000'],
    ['dispute-reversal', 76_614, 'PP-D-100000'],
  ])
  expect(about(claimed)).toEqual([
    ['charge', 76_614, null],
    ['hold', -76_614, null],
    ['hold', 76_614, null],
    ['dispute', -76_614, 'PP-D-100003'],
  ])
  expect(listed.find(({ kind }) => kind === 'charge')).toMatchObject({ feeCents: 2_723, at: started })
  const back = listed.filter(({ kind }) => kind === 'refund')
  expect(back).toMatchObject([{ chargeRef: `paypal:${refunded}`, refundRef, amountCents: -1_230, feeCents: 0 }])
  expect(new Set(listed.map(({ ref }) => ref)).size).toBe(listed.length)
})

test('a payment names our own charge, and more than a page, or 31 days, are fetched in parts', async () => {
  await using sandbox = await startTestSandbox(port)
  const { payments, records } = storeAt(sandbox)
  const started = sandbox.clock.now()
  const named = '0198c2f4-8d5e-7c10-a1b2-0000000000aa'
  const ref = await capturedCharge(payments, { reference: named })
  for (let at = 0; at < 120; at += 1)
    valueOf(await payments.refundCharge({ ref, amountCents: 1 + at, key: `refund:${at}` }))
  await sandbox.pass({ hours: 24 * 40 })
  valueOf(await payments.refundCharge({ ref, amountCents: 500, key: 'refund:late' }))
  await sandbox.pass({ hours: 4 })
  const listed = await allMovements(records, { from: started, until: sandbox.clock.now() })
  expect(listed.filter(({ kind }) => kind === 'refund').map(({ amountCents }) => -amountCents)).toEqual([
    ...Array.from({ length: 120 }, (_, at) => 1 + at),
    500,
  ])
  expect(listed.filter(({ kind }) => kind === 'charge')).toMatchObject([{ reference: named, chargeRef: null }])
})

async function allMovements(
  records: ReturnType<typeof createPayPalRecords>,
  span: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<Movement[]> {
  const movements: Movement[] = []
  for (let after: string | null = null, page = 0; page < 10; page += 1) {
    const listed: MovementPage = valueOf(await records.listMovements({ ...span, after }))
    movements.push(...listed.movements)
    if (listed.next === null) return movements
    after = listed.next
  }
  throw new Error('The movements do not end.')
}
