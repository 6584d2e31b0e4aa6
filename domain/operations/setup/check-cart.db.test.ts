/** The cart of the payment page check. */
import { expect, test } from 'vitest'
import { openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { readCart, startedCartRows } from '#domain/payments/cart/cart.server.ts'
import { createCatalog } from '#domain/catalog/catalog/catalog.server.ts'
import { termsOf } from '#domain/kernel/settings/business-terms.testing.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { warehouseForm } from '#domain/supply/delivery/delivery.ts'
import { addWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { closeCheckCart, openCheckCart } from './setup.server.ts'

const [port = 0] = await freePorts(3)
const details = { phone: '(773) 555-0110', email: 'help@lakeview.example' }

test('a check cart reaches the payment step at the warehouse address, isn’t reported, and is deleted', async () => {
  await using store = await openTestStore(port)
  const { db, clock } = store
  const opened = await openCheckCart(store, details)
  const cartId = opened.ok ? opened.value.cartId : expect.unreachable()
  const cart = await readCart(store, cartId)
  expect(cart).toMatchObject({ fulfillment: 'home', state: 'open', lines: [{ quantity: 1 }] })
  expect(await readDetails(store, cartId)).toMatchObject({
    contact: { email: details.email },
    billing: { sameAsShipping: true },
  })
  const now = clock.now()
  const started = () => startedCartRows({ from: now.subtract({ hours: 1 }), until: now.add({ hours: 1 }) }).execute(db)
  expect((await started()).rows).toEqual([])
  await expect(db.updateTable('cart').set({ state: 'ordered' }).where('id', '=', cartId).execute()).rejects.toThrow(
    'cart_check_stays_open',
  )
  await closeCheckCart(store, cartId)
  expect(await readCart(store, cartId)).toBeUndefined()

  // A check that ended early left one.
  const left = await openCheckCart(store, details)
  store.clock.set(now.add({ minutes: 10 }))
  await closeCheckCart(store, null)
  const leftId = left.ok ? left.value.cartId : expect.unreachable()
  expect(await readCart(store, leftId)).toBeDefined()
  store.clock.set(now.add({ minutes: 31 }))
  await closeCheckCart(store, null)
  expect(await readCart(store, leftId)).toBeUndefined()
})

test('a store without a warehouse, with an invalid phone number, or without tires gives the reason', async () => {
  await using database = await createTestDatabase({ from: 'new' })
  const clock = fixedClock(smallDataMadeAt)
  const { db } = database
  const deps = { db, clock, catalog: createCatalog({ db, clock, businessTerms: termsOf({ db, clock }) }) }
  const reason = async (store = details) => {
    const opened = await openCheckCart(deps, store)
    return opened.ok ? null : opened.detail.words
  }
  expect(await reason()).toBe('No warehouse has a street address yet.')
  const typed = { code: 'jol', name: 'Prairie Dock', street: '1 Dock Road', zip: '60436', cutoff: '16:00' }
  const added = await addWarehouse(deps, await signInStaff(deps, 'manager'), warehouseForm.parse(typed))
  expect(added.ok).toBe(true)
  expect(await reason({ ...details, phone: 'none' })).toMatch(/phone number/i)
  expect(await reason()).toBe('No tire with a price is in stock.')
})
