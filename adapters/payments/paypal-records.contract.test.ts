import { expect, test } from 'vitest'
import { paypalTest, startReceiver, startTestSandbox, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createPayPalRecords } from './paypal-records.ts'
import { actOnDispute, disputedCharge, paypalEvidence, valueOf } from './paypal.testing.ts'
import { createPayPalPayments } from './paypal.ts'

const [port = 0] = await freePorts(3)
const ref = 'PP-D-100000'
const files = [
  { kind: 'shipping', name: 'shipping-S-1.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7 %%EOF') },
] as const

function storeAt({ origin, clock }: TestSandbox) {
  const access = { ...paypalTest, apiOrigin: `${origin}/paypal`, clock }
  return { payments: createPayPalPayments(access), records: createPayPalRecords(access) }
}

test('receives a dispute by webhook, reads its order and deadline, answers it once with a file, and loses it', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { paypalWebhookUrl: `http://127.0.0.1:${port + 2}/` })
  const { payments, records } = storeAt(sandbox)
  const order = await disputedCharge(sandbox, payments, { reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED' })
  await sandbox.pass({ seconds: 1 })
  const last = receiver.received.at(-1)
  const event = await payments.readEvent({
    provider: 'paypal',
    body: last?.body ?? '',
    header: (name) => String(last?.headers[name] ?? ''),
  })
  expect(event).toMatchObject({ ok: true, event: { kind: 'CUSTOMER.DISPUTE.CREATED', disputeRef: ref, charge: null } })
  const dispute = valueOf(await records.readDispute(ref))
  expect(dispute).toMatchObject({
    chargeRef: `paypal:${order}`,
    kind: 'inquiry',
    state: 'needs-response',
    amountCents: 76_614,
    withdrawnCents: 0,
  })
  expect(dispute.dueAt?.since(dispute.openedAt).total('hours')).toBe(240)

  const asked = { ref, evidence: { ...paypalEvidence, text: 'losing_evidence' }, files, key: 'answer' }
  const lost = { state: 'lost', withdrawnCents: 76_614, reinstatedCents: 0, feeCents: 1_500, dueAt: null }
  expect(valueOf(await records.answerDispute(asked))).toMatchObject(lost)
  // The response was lost in a crash, and the same request again succeeds.
  expect(valueOf(await records.answerDispute(asked))).toMatchObject(lost)
  const page = await (await fetch(`${sandbox.origin}/paypal/orders/${order}`)).text()
  expect(page).toContain('shipping-S-1.pdf, application/pdf, 14 bytes')
})

test('a bank dispute withdraws the amount immediately, and a win returns it without the fee', async () => {
  await using sandbox = await startTestSandbox(port)
  const { payments, records } = storeAt(sandbox)
  const order = await disputedCharge(sandbox, payments, { act: 'chargeback' })
  const taken = {
    kind: 'dispute',
    state: 'needs-response',
    withdrawnCents: 76_614,
    reinstatedCents: 0,
    feeCents: 2_000,
  }
  expect(valueOf(await records.readDispute(ref))).toMatchObject(taken)
  const answered = await records.answerDispute({ ref, evidence: paypalEvidence, files: [], key: 'answer' })
  expect(valueOf(answered)).toMatchObject({ state: 'under-review', dueAt: null })
  await actOnDispute(sandbox.origin, order, { act: 'won' })
  expect(valueOf(await records.readDispute(ref))).toMatchObject({
    state: 'won',
    reinstatedCents: 76_614,
    feeCents: 2_000,
  })
})

test('a claim is accepted once, what PayPal does not take is refused, and silence loses', async () => {
  await using sandbox = await startTestSandbox(port)
  const { payments, records } = storeAt(sandbox)
  await disputedCharge(sandbox, payments, {})
  await disputedCharge(sandbox, payments, { at: 1 })
  const empty = [{ ...files[0], bytes: Buffer.alloc(0) }]
  const refused = await records.answerDispute({ ref, evidence: paypalEvidence, files: empty, key: 'empty' })
  expect(refused).toMatchObject({ ok: false, reason: 'refused-input' })
  expect(valueOf(await records.acceptDispute({ ref, key: 'accept' }))).toMatchObject({ state: 'lost', feeCents: 0 })
  expect(valueOf(await records.acceptDispute({ ref, key: 'accept' }))).toMatchObject({ state: 'lost' })
  await sandbox.pass({ hours: 241 })
  expect(valueOf(await records.readDispute('PP-D-100001'))).toMatchObject({ state: 'lost', feeCents: 1_500 })
  expect(await records.readDispute('PP-D-1')).toMatchObject({ ok: false, reason: 'refused-input' })
  const away = createPayPalRecords({ ...paypalTest, apiOrigin: `http://127.0.0.1:${port + 2}`, clock: sandbox.clock })
  expect(await away.readDispute(ref)).toMatchObject({ ok: false, reason: 'unavailable' })
})
