import { expect, test } from 'vitest'
import { sign, verify } from '#platform/signing.ts'
import { claimCodeOf, isClaimCode } from '#domain/scheduling/booking/end-booking.server.ts'
import { isPickupCode, pickupCodeOf } from '#domain/ordering/orders/warehouse-counter.server.ts'
import { readReplyToken, replyMailbox } from '#domain/messaging/support/reply-address.server.ts'
import { signingSecrets, secretOf } from '#domain/channels/webhooks/secrets.server.ts'

const [old, next] = ['the old secret of this store', 'the next secret of this store']
const both = [next, old] as const

test('accepts a signature from each secret, and from no other', () => {
  expect(verify(both, 'link', sign(old, 'link', '12'))).toBe('12')
  expect(verify(both, 'link', sign(next, 'link', '12'))).toBe('12')
  expect(verify(next, 'link', sign(old, 'link', '12'))).toBeUndefined()
  expect(verify(both, 'link', sign('another', 'link', '12'))).toBeUndefined()
  expect(verify(both, 'mail', sign(next, 'link', '12'))).toBeUndefined()
})

test('the first secret signs', () => {
  expect(sign(both, 'link', '12')).toBe(sign(next, 'link', '12'))
})

test('a code or an address that was sent before is known until its secret is given up', () => {
  expect(claimCodeOf(both, 'b1')).toBe(claimCodeOf(next, 'b1'))
  expect(isClaimCode(both, 'b1', claimCodeOf(old, 'b1'))).toBe(true)
  expect(isClaimCode(next, 'b1', claimCodeOf(old, 'b1'))).toBe(false)
  expect(isPickupCode(both, 7, pickupCodeOf(old, 7))).toBe(true)
  expect(isPickupCode(next, 7, pickupCodeOf(old, 7))).toBe(false)
  expect(readReplyToken(both, replyMailbox(old, 12))).toBe(12)
  expect(readReplyToken(next, replyMailbox(old, 12))).toBeUndefined()
})

test('a webhook is signed with each active secret', () => {
  const endpoint = { id: 'e1', secretNo: 1, rotatedAt: null }
  expect(signingSecrets(both, endpoint, Temporal.Instant.from('2026-12-02T12:00:00Z'))).toEqual([
    secretOf(next, 'e1', 1),
    secretOf(old, 'e1', 1),
  ])
})
