import { expect, test } from 'vitest'
import { freePorts } from '#tests/support/free-ports.ts'
import { makeReadyCart, openTestStore } from './checkout.testing.ts'
import { readDetails, saveContact } from './checkout.server.ts'
import type { Contact } from './checkout.ts'

const [port = 0] = await freePorts(3)

test('refuses a state the ZIP does not lie in, at its field, and stores nothing', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { contact: kept } = await readDetails(store, cart.id)
  if (!kept) throw new Error('A ready cart has its contact.')
  const phone = { digits: '3125550142', extension: null }
  const fieldOf = async (change: Partial<Contact>, of = cart) => {
    const saved = await saveContact(store, of, { ...kept, phone, ...change })
    return saved.ok ? 'kept' : [saved.detail.name, saved.detail.message]
  }
  expect(await fieldOf({ state: 'TX' })).toEqual(['state', '60614 is in Chicago, IL. Please enter state'])
  expect(await fieldOf({ zip: '00000' })).toEqual(['zip', 'Please enter valid US Zip Code'])
  const zipOf = (type: string) =>
    store.db.selectFrom('zip').select(['zip', 'state']).where('zip_type', '=', type).limit(1).executeTakeFirstOrThrow()
  const [base, boxes] = [await zipOf('MILITARY'), await zipOf('PO_BOX')]
  expect(await fieldOf(base)).toEqual(['zip', 'The product is unable to ship to International Military bases.'])
  expect(await fieldOf(boxes)).toEqual(['zip', 'We do not ship to PO boxes. Please enter a valid address'])
  expect(await readDetails(store, cart.id)).toMatchObject({ contact: { state: kept.state, zip: kept.zip } })
  // With shop installation the address is only a mailing address; the vehicle must be known instead.
  const atShop = { ...cart, fulfillment: 'shop' as const }
  expect(await fieldOf({ vehicleNote: null }, atShop)).toEqual(['vehicleNote', 'Please choose a vehicle'])
  expect(await fieldOf({ vehicleNote: null }, { ...atShop, vehicle: { year: 2021 } })).toBe('kept')
  expect(await fieldOf({ ...boxes, vehicleNote: 'RAV4' }, atShop)).toBe('kept')
  expect(await fieldOf({}, { ...cart, fulfillment: 'mobile', shopId: 0 })).toEqual([
    'zip',
    "This zip code is outside the selected installer's serviceable area.",
  ])
  expect(await fieldOf({})).toBe('kept')
})
