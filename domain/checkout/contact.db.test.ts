import { expect, test } from 'vitest'
import { makeReadyCart, openTestStore } from './checkout.testing.ts'
import { readDetails, saveContact } from './checkout.server.ts'

test('a state that the ZIP does not lie in is refused by its field, and nothing is kept', async () => {
  await using store = await openTestStore(7_412)
  const cart = await makeReadyCart(store, { fulfilment: 'home' })
  const { contact: kept } = await readDetails(store, cart.id)
  if (!kept) throw new Error('A ready cart has its contact.')
  const phone = { digits: '3125550142', extension: null }
  expect(await saveContact(store, cart, { ...kept, phone, state: 'TX' })).toMatchObject({ ok: false, reason: 'field', detail: { name: 'state' } })
  expect(await saveContact(store, cart, { ...kept, phone, zip: '00000' })).toMatchObject({ ok: false, reason: 'field' })
  expect(await readDetails(store, cart.id)).toMatchObject({ contact: { state: kept.state, zip: kept.zip } })
})
