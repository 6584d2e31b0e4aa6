/** The terms for prices that a visitor sees outside the cart. */
import { expect, test } from 'vitest'
import { referralCodeOf } from '#domain/customers/programs/programs.server.ts'
import { retailBuyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createVisitorTerms } from './checkout.server.ts'
import { asOwner, openTestStore } from './checkout.testing.ts'

const [port = 0] = await freePorts(3)

test('a guest has no program, a verified service member and a friend’s link have theirs', async () => {
  await using store = await openTestStore(port)
  const guest = await createVisitorTerms(store, {})()
  expect(guest).toMatchObject({ programs: [], exemptions: [] })
  const military = { ...store, buyer: { ...retailBuyer, isMilitary: () => Promise.resolve(true) } }
  expect((await createVisitorTerms(military, {})()).programs).toEqual([{ kind: 'military' }])

  const { accountId } = await asOwner(store)
  const code = await referralCodeOf(store, accountId)
  const referral = { code, openedAt: store.clock.now() }
  const friend = createVisitorTerms(store, { referral })
  expect((await friend()).programs).toMatchObject([{ kind: 'referral', id: code }])
  // Read once.
  expect(await friend()).toBe(await friend())
})
