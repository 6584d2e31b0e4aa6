import { expect, test } from 'vitest'
import { plainAddress } from '#domain/supply/delivery/delivery.ts'
import { isLinkFresh, mailboxOf, refuseReferral, senderName, type ReferralCase, type Signs } from './referral-rules.ts'

const nobody: Signs = { accountIds: [], emails: [], phones: [], addresses: [], cards: [] }
const friend: Signs = {
  accountIds: ['f'],
  emails: ['fay@example.com'],
  phones: ['3125550100'],
  addresses: ['1 n elm st 60614'],
  cards: ['card f'],
}
const referrer: Signs = {
  accountIds: ['r'],
  emails: ['ray@example.com'],
  phones: ['3125550199'],
  addresses: ['9 oak ave 60601'],
  cards: ['card r'],
}
const plain: ReferralCase = { friend, hasOrdered: false, referrer, referredBy: [], earlierFriends: [] }

test('refers a friend from another household who is new to the store', () => {
  expect(refuseReferral(plain)).toBeNull()
  expect(refuseReferral({ ...plain, friend: nobody, referrer: nobody })).toBeNull()
})

test.for<[string, Partial<ReferralCase>, string]>([
  ['the same account', { friend: { ...friend, accountIds: ['r'] } }, 'own-link'],
  ['the same email', { friend: { ...friend, emails: ['x@example.com', 'ray@example.com'] } }, 'own-link'],
  ['the same mailbox under another name', { friend: { ...friend, emails: ['ray+tires@example.com'] } }, 'own-link'],
  ['the same phone', { friend: { ...friend, phones: ['3125550199'] } }, 'same-household'],
  ['the same address', { friend: { ...friend, addresses: ['9 oak ave 60601'] } }, 'same-household'],
  ['the same card', { friend: { ...friend, cards: ['card r'] } }, 'same-card'],
  ['a ring of two', { referredBy: [{ accountIds: ['f'], emails: [] }] }, 'ring'],
  [
    'a ring of three, by email',
    {
      referredBy: [
        { accountIds: ['x'], emails: ['x@example.com'] },
        { accountIds: ['y'], emails: ['fay@example.com'] },
      ],
    },
    'ring',
  ],
  ['an earlier order', { hasOrdered: true }, 'not-first-order'],
  [
    'an earlier friend at the same address',
    { earlierFriends: [{ ...nobody, addresses: ['1 n elm st 60614'] }] },
    'known-household',
  ],
  [
    'an earlier friend with the same phone',
    { earlierFriends: [{ ...nobody, phones: ['3125550100'] }] },
    'known-household',
  ],
  [
    'an earlier friend with the same mailbox',
    { earlierFriends: [{ ...nobody, emails: ['fay+1@example.com'] }] },
    'known-household',
  ],
  [
    'an earlier friend with the same card',
    { earlierFriends: [nobody, { ...nobody, cards: ['card f'] }] },
    'known-household',
  ],
])('refuses %s', ([, change, reason]) => {
  expect(refuseReferral({ ...plain, ...change })).toBe(reason)
})

test.for([
  ['Dana@Example.com', 'dana@example.com'],
  ['d.a.na+x@gmail.com', 'dana@gmail.com'],
  ['d.a.na@googlemail.com', 'dana@gmail.com'],
  ['d.a.na+a+b@example.com', 'd.a.na@example.com'],
])('%s is the mailbox %s', ([email = '', mailbox = '']) => {
  expect(mailboxOf(email)).toBe(mailbox)
})

test.for<[string | null, string | null]>([
  ['Dana Ruiz', 'Dana'],
  [' Zoë-Mae O’Neil ', 'Zoë-Mae'],
  ["D'Arcy", "D'Arcy"],
  ['cheap-pills.example sells', null],
  ['https://evil.example', null],
  ['$1000 for you', null],
  ['WinOneThousandDollarsNow now', null],
  ['', null],
  [null, null],
])('a sender named %o is shown to friends as %o', ([name, told]) => {
  expect(senderName(name)).toBe(told)
})

test('an address is one in any spelling, but differs by apartment', () => {
  const one = plainAddress({ address1: '1430 North Halsted Street', address2: 'Unit 4', zip: '60614-1234' })
  expect(one).toBe(plainAddress({ address1: '1430 N. Halsted St, Apt. 4', address2: null, zip: '60614' }))
  expect(one).not.toBe(plainAddress({ address1: '1430 N Halsted St', address2: 'apt 5', zip: '60614' }))
})

test('a link counts for 30 days', () => {
  const opened = Temporal.Instant.from('2026-11-20T15:00:00Z')
  expect(isLinkFresh(opened, Temporal.Instant.from('2026-12-20T14:59:59Z'))).toBe(true)
  expect(isLinkFresh(opened, Temporal.Instant.from('2026-12-20T15:00:00Z'))).toBe(false)
})
