import { expect, test } from 'vitest'
import type { ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'
import { startReceiver, startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createStripePayouts } from './stripe-payouts.ts'

const [port = 0] = await freePorts(3)
const pages = { returnUrl: 'https://store.example/back', refreshUrl: 'https://store.example/again' }

const payoutsAt = ({ origin, clock }: Pick<TestSandbox, 'origin' | 'clock'>) =>
  createStripePayouts({
    apiOrigin: origin,
    secretKey: testSecrets.stripeSecretKey,
    webhookSecrets: ['whsec_of_another_endpoint', testSecrets.webhookSecret],
    clock,
  })
type Payouts = ReturnType<typeof payoutsAt>

function valueOf<Value>(answer: ProviderAnswer<Value>): Value {
  if (!answer.ok) throw new Error(`${answer.reason}: ${answer.message}`)
  return answer.value
}

/** Submits bank details on the provider's page as a shop's owner. */
const enterBank = (url: string, account = '000123456789') =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ routing: '110000000', account }), redirect: 'manual' })

async function readyAccount(payouts: Payouts, account?: string): Promise<string> {
  const { ref } = valueOf(
    await payouts.openAccount({ reference: 'SW-00001', email: 'a@example.com', key: 'account-1' }),
  )
  await enterBank(valueOf(await payouts.openBankPage({ ref, ...pages })).url, account)
  return ref
}

test('an account is opened once for a key, and ready after its owner entered the bank details', async () => {
  await using sandbox = await startTestSandbox(port)
  const payouts = payoutsAt(sandbox)
  const open = () => payouts.openAccount({ reference: 'SW-00001', email: 'a@example.com', key: 'account-1' })
  const { ref } = valueOf(await open())
  expect(valueOf(await open()).ref).toBe(ref)
  expect(valueOf(await payouts.readAccount(ref))).toEqual({ ref, state: 'started', bankLast4: null })
  const { url } = valueOf(await payouts.openBankPage({ ref, ...pages }))
  expect((await enterBank(url, '12')).status).toBe(422)
  const entered = await enterBank(url)
  expect(entered.status).toBe(303)
  expect(entered.headers.get('location')).toBe(pages.returnUrl)
  expect(valueOf(await payouts.readAccount(ref))).toEqual({ ref, state: 'ready', bankLast4: '6789' })
  // A link works once. The account's own page changes the details.
  expect((await fetch(url, { redirect: 'manual' })).headers.get('location')).toBe(pages.refreshUrl)
  const own = valueOf(await payouts.openBankPage({ ref, ...pages }))
  expect((await enterBank(own.url, '000222224444')).status).toBe(200)
  expect(valueOf(await payouts.readAccount(ref)).bankLast4).toBe('4444')
  await sandbox.pass({ minutes: 6 })
  expect((await fetch(own.url)).status).toBe(404)
})

test('a transfer is sent once for a key, found by its reference, and reversed within its amount', async () => {
  await using sandbox = await startTestSandbox(port)
  const payouts = payoutsAt(sandbox)
  const accountRef = await readyAccount(payouts)
  const send = () => payouts.sendTransfer({ accountRef, amountCents: 8_800, reference: 'pay-1', key: 'transfer-1' })
  expect(valueOf(await payouts.findTransfer('pay-1'))).toBeNull()
  const sent = valueOf(await send())
  expect(valueOf(await send())).toEqual(sent)
  expect(valueOf(await payouts.findTransfer('pay-1'))).toEqual({ ref: sent.ref, reference: 'pay-1', reversedCents: 0 })
  const reverse = (amountCents: number, key: string) => payouts.reverseTransfer({ ref: sent.ref, amountCents, key })
  expect(valueOf(await reverse(3_000, 'reversal-1')).reversedCents).toBe(3_000)
  expect(valueOf(await reverse(3_000, 'reversal-1')).reversedCents).toBe(3_000)
  expect(await reverse(5_801, 'reversal-2')).toMatchObject({ ok: false, reason: 'refused-input' })
  expect(valueOf(await payouts.readTransfer(sent.ref)).reversedCents).toBe(3_000)
})

test('rejects transfers to accounts without bank details and reports unavailable accounts separately', async () => {
  await using sandbox = await startTestSandbox(port)
  const payouts = payoutsAt(sandbox)
  const { ref } = valueOf(
    await payouts.openAccount({ reference: 'SW-00001', email: 'a@example.com', key: 'account-1' }),
  )
  const transfer = { accountRef: ref, amountCents: 100, reference: 'pay-1', key: 'transfer-1' }
  expect(await payouts.sendTransfer(transfer)).toMatchObject({ ok: false, reason: 'refused-input' })
  const nobody = payoutsAt({ ...sandbox, origin: `http://127.0.0.1:${port + 2}` })
  expect(await nobody.sendTransfer({ ...transfer, key: 'transfer-2' })).toMatchObject({ reason: 'unavailable' })
})

test('sends signed events that identify the record to refresh', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { webhookUrl: `http://127.0.0.1:${port + 2}/webhooks/payments` })
  const payouts = payoutsAt(sandbox)
  const accountRef = await readyAccount(payouts)
  const sent = valueOf(
    await payouts.sendTransfer({ accountRef, amountCents: 8_800, reference: 'pay-1', key: 'transfer-1' }),
  )
  valueOf(await payouts.reverseTransfer({ ref: sent.ref, amountCents: 100, key: 'reversal-1' }))
  await sandbox.pass({ seconds: 6 })
  const events = []
  for (const { body, headers } of receiver.received) {
    const read = await payouts.readEvent(body, String(headers['stripe-signature']))
    expect(read.ok).toBe(true)
    if (read.ok && read.event !== null) events.push(read.event)
    expect(await payouts.readEvent(`${body} `, String(headers['stripe-signature']))).toEqual({
      ok: false,
      reason: 'bad-signature',
    })
  }
  const [account, transfer, payout] = events
  expect(account).toEqual({ about: 'account', ref: accountRef })
  expect(transfer).toEqual({ about: 'transfer', ref: sent.ref })
  if (payout?.about !== 'bank-payout') throw new Error('Nothing was paid to the bank.')
  expect(payout.accountRef).toBe(accountRef)
  expect(valueOf(await payouts.readBankPayout(payout))).toMatchObject({ amountCents: 8_800, state: 'paid' })
  // Another account does not see it.
  expect(await payouts.readBankPayout({ ...payout, accountRef: 'acct_other' })).toMatchObject({ ok: false })
})

test('a payout to a closed bank account fails', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { webhookUrl: `http://127.0.0.1:${port + 2}/webhooks/payments` })
  const payouts = payoutsAt(sandbox)
  const accountRef = await readyAccount(payouts, '000111111113')
  valueOf(await payouts.sendTransfer({ accountRef, amountCents: 500, reference: 'pay-1', key: 'transfer-1' }))
  await sandbox.pass({ seconds: 6 })
  const failed = receiver.received.find(({ body }) => body.includes('payout.failed'))
  const { id } = (JSON.parse(failed?.body ?? '{}') as { data: { object: { id: string } } }).data.object
  expect(valueOf(await payouts.readBankPayout({ accountRef, ref: id })).state).toBe('failed')
})
