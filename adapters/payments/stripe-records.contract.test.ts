import { expect, test } from 'vitest'
import type { ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'
import type { Movement } from '#domain/payments/payments/provider-records.port.ts'
import { payWithFields, startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createStripeRecords } from './stripe-records.ts'
import { createStripePayments } from './stripe.ts'

const [port = 0] = await freePorts(3)

function storeAt(sandbox: TestSandbox) {
  const access = { apiOrigin: sandbox.origin, secretKey: testSecrets.stripeSecretKey }
  return {
    payments: createStripePayments({ ...access, webhookSecret: testSecrets.webhookSecret, clock: sandbox.clock }),
    records: createStripeRecords(access),
  }
}

function valueOf<Value>(answer: ProviderAnswer<Value>): Value {
  if (answer.ok) return answer.value
  throw new Error(answer.message)
}

async function captured(sandbox: TestSandbox, card: string, amountCents = 10_000): Promise<string> {
  const { payments } = storeAt(sandbox)
  const key = `${card}-${amountCents}`
  const opened = await payments.openCharge({ amountCents, reference: key, email: null, key: `open-${key}` })
  const { ref, clientSecret } = valueOf(opened)
  await payWithFields(sandbox, clientSecret, card)
  valueOf(await payments.captureCharge({ ref, amountCents, key: `capture-${key}` }))
  return ref
}

const evidence = {
  customerName: 'Dana Reyes',
  customerEmail: 'dana@example.com',
  billingAddress: '1430 N Halsted St',
  productDescription: '4 × a tire',
  shippingAddress: null,
  shippingCarrier: null,
  shippingTrackingNumber: null,
  shippingDate: null,
  serviceDate: '2026-06-20',
  refundPolicy: 'Within 30 days.',
  cancellationPolicy: 'Within 30 minutes.',
  text: 'winning_evidence',
}

const files = [
  { kind: 'completion', name: 'completion.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7 %%EOF') },
  { kind: 'more', name: 'photo.jpg', type: 'image/jpeg', bytes: Buffer.alloc(2_000, 1) },
] as const

test('reads a disputed card with its withdrawals, answers once, and wins', async () => {
  await using sandbox = await startTestSandbox(port)
  const { records, payments } = storeAt(sandbox)
  const chargeRef = await captured(sandbox, '4000000000000259')
  await sandbox.catchUp()
  const { from, until } = { from: sandbox.clock.now(), until: sandbox.clock.now().add({ hours: 1 }) }
  const { movements } = valueOf(await records.listMovements({ from, until, after: null }))
  const ref = movements.find(({ kind }) => kind === 'dispute')?.disputeRef ?? ''
  const dispute = valueOf(await records.readDispute(ref))
  expect(dispute).toMatchObject({
    chargeRef,
    kind: 'dispute',
    state: 'needs-response',
    reason: 'fraudulent',
    amountCents: 10_000,
    withdrawnCents: 10_000,
    reinstatedCents: 0,
    feeCents: 1_500,
  })
  expect(dispute.dueAt?.toString()).toBe(
    sandbox.clock
      .now()
      .add({ hours: 24 * 9 })
      .toString(),
  )
  // The money is gone already.
  expect(await payments.refundCharge({ ref: chargeRef, amountCents: 1, key: 'refund' })).toMatchObject({ ok: false })

  const answered = valueOf(await records.answerDispute({ ref, evidence, files, key: 'answer' }))
  expect(answered).toMatchObject({ state: 'won', reinstatedCents: 10_000 })
  expect(valueOf(await records.answerDispute({ ref, evidence, files, key: 'answer' }))).toMatchObject({ state: 'won' })
  expect(await records.acceptDispute({ ref, key: 'accept' })).toMatchObject({ ok: false, reason: 'refused-input' })
  expect(await records.readDispute('du_none')).toMatchObject({ ok: false, reason: 'refused-input' })
})

test('movements come page by page, within their time, with what they are about', async () => {
  await using sandbox = await startTestSandbox(port)
  const { records, payments } = storeAt(sandbox)
  const from = sandbox.clock.now()
  const refs: string[] = []
  for (let nth = 0; nth < 60; nth += 1) refs.push(await captured(sandbox, '4242424242424242', 10_000 + nth))
  for (const [nth, ref] of refs.entries())
    valueOf(await payments.refundCharge({ ref, amountCents: 100, key: `refund-${nth}` }))
  const until = from.add({ hours: 1 })
  sandbox.clock.set(until)
  await captured(sandbox, '5555555555554444')

  const found: Movement[] = []
  const pages: number[] = []
  for (let after: string | null = null; ;) {
    const page: { movements: Movement[]; next: string | null } = valueOf(
      await records.listMovements({ from, until, after }),
    )
    const { movements, next } = page
    found.push(...movements)
    pages.push(movements.length)
    if (next === null) break
    after = next
  }
  expect(pages).toEqual([100, 20])
  const charges = found.filter(({ kind }) => kind === 'charge')
  expect(new Set(charges.map(({ chargeRef }) => chargeRef))).toEqual(new Set(refs))
  expect(charges.find(({ amountCents }) => amountCents === 10_000)).toMatchObject({ feeCents: 320, refundRef: null })
  const refunds = found.filter(({ kind }) => kind === 'refund')
  expect(new Set(refunds.map(({ chargeRef }) => chargeRef)).size).toBe(60)
  expect(refunds.every(({ refundRef, amountCents }) => refundRef?.startsWith('re_') && amountCents === -100)).toBe(true)
})

test('a failed refund returns as a separate balance transaction', async () => {
  await using sandbox = await startTestSandbox(port)
  const { records, payments } = storeAt(sandbox)
  const from = sandbox.clock.now()
  const ref = await captured(sandbox, '4000000000005126')
  const { refundRef } = valueOf(await payments.refundCharge({ ref, amountCents: 700, key: 'refund' }))
  await sandbox.pass({ seconds: 6 })
  const until = sandbox.clock.now().add({ seconds: 1 })
  const { movements } = valueOf(await records.listMovements({ from, until, after: null }))
  expect(movements).toMatchObject([
    { kind: 'refund-failure', amountCents: 700, refundRef },
    { kind: 'refund', amountCents: -700, refundRef },
    { kind: 'charge', amountCents: 10_000 },
  ])
})

test('files go along with the evidence, once, and what Stripe does not take is refused', async () => {
  await using sandbox = await startTestSandbox(port)
  const { records } = storeAt(sandbox)
  await captured(sandbox, '4000000000000259')
  await sandbox.catchUp()
  const { from, until } = { from: sandbox.clock.now(), until: sandbox.clock.now().add({ hours: 1 }) }
  const { movements } = valueOf(await records.listMovements({ from, until, after: null }))
  const ref = movements.find(({ kind }) => kind === 'dispute')?.disputeRef ?? ''
  const text = 'See the files.'
  const huge = [{ ...files[0], bytes: Buffer.alloc(5_000_001, 1) }]
  const refused = await records.answerDispute({ ref, evidence: { ...evidence, text }, files: huge, key: 'huge' })
  expect(refused).toMatchObject({ ok: false, reason: 'refused-input' })
  expect(valueOf(await records.readDispute(ref)).state).toBe('needs-response')
  const asked = { ref, evidence: { ...evidence, text }, files, key: 'answer' }
  expect(valueOf(await records.answerDispute(asked))).toMatchObject({ state: 'under-review' })
  expect(valueOf(await records.answerDispute(asked))).toMatchObject({ state: 'under-review' })
})
