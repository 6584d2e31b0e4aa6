/** What moved at Resolve, read from the sandbox's lists of orders and credit notes. */
import { expect, test } from 'vitest'
import type { Movement, MovementPage } from '#domain/payments/payments/provider-records.port.ts'
import { newId } from '#platform/ids.ts'
import { resolveTest, startTestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { valueOf } from './paypal.testing.ts'
import { createResolveRecords } from './resolve-movements.ts'
import { createResolve } from './resolve.ts'
import { termsPage } from './resolve.testing.ts'

const [port = 0] = await freePorts(3)

test('captures are listed with when they were, credit notes as of now, each with what it is of', async () => {
  await using sandbox = await startTestSandbox(port)
  const { clock } = sandbox
  const access = { ...resolveTest, apiUrl: `${sandbox.origin}/resolve/api`, clock }
  const { payments } = createResolve(access)
  const { listMovements } = createResolveRecords(access)
  const all = async (from: Temporal.Instant) => {
    const movements: Movement[] = []
    for (let after: string | null = null, page = 0; page < 10; page += 1) {
      const listed: MovementPage = valueOf(await listMovements({ from, until: clock.now(), after }))
      movements.push(...listed.movements)
      if (listed.next === null) return movements
      after = listed.next
    }
    throw new Error('The movements do not end.')
  }

  const charge = newId()
  const opened = valueOf(await payments.openHostedPage(termsPage('GRNTdelivery', charge)))
  valueOf(await payments.openHostedPage(termsPage('GRNTdelivery', 'never captured')))
  await sandbox.pass({ hours: 24 * 20 })
  const capturedAt = clock.now()
  const { hostedRef: ref } = opened
  valueOf(await payments.captureCharge({ ref, amountCents: 70_000, key: 'capture' }))
  const [mine, hand] = [`refund:${newId()}:1`, 'CN-by-hand']
  valueOf(await payments.refundCharge({ ref, amountCents: 20_000, key: mine }))
  for (let nth = 0; nth < 120; nth += 1)
    valueOf(await payments.refundCharge({ ref, amountCents: 1 + nth, key: `${hand}-${nth}` }))
  await sandbox.pass({ minutes: 5 })

  const listed = await all(capturedAt)
  expect(listed[0]).toEqual({
    ref,
    kind: 'charge',
    at: capturedAt,
    amountCents: 70_000,
    feeCents: 0,
    chargeRef: `resolve:${ref}`,
    reference: charge,
    refundRef: null,
    disputeRef: null,
  })
  expect(listed).toHaveLength(122)
  const ours = listed.find(({ refundRef }) => refundRef === mine.replaceAll(':', '-'))
  // Its charge is known by the refund.
  expect(ours).toMatchObject({ kind: 'refund', at: clock.now(), amountCents: -20_000, chargeRef: null })
  expect(ours?.reference).toBeUndefined()
  const foreign = listed.filter(({ refundRef }) => refundRef?.startsWith(hand))
  expect(foreign).toHaveLength(120)
  expect(new Set(foreign.map(({ reference }) => reference))).toEqual(new Set([charge]))
  // Captured before the requested time.
  expect((await all(clock.now())).filter(({ kind }) => kind === 'charge')).toEqual([])
})
