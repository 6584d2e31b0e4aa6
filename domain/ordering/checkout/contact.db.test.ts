import { expect, test } from 'vitest'
import { freePorts } from '#tests/support/free-ports.ts'
import { makeReadyCart, openTestStore } from './checkout.testing.ts'
import { readDetails, saveContact } from './checkout.server.ts'
import { forgetDetailsOfCarts } from './kept-details.sql.server.ts'
import type { AddressCheck, CarrierAddress, CarrierAnswer } from '#domain/ordering/orders/carrier.port.ts'
import type { Contact } from '#domain/supply/contact-forms/contact-forms.ts'

const [port = 0] = await freePorts(3)

test('rejects a state that doesn’t match the ZIP, at its field, and stores no data', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { contact: kept } = await readDetails(store, cart.id)
  if (!kept) throw new Error('A ready cart has its contact.')
  const phone = { digits: '3125550142', extension: null }
  const fieldOf = async (change: Partial<Contact>, of = cart) => {
    const saved = await saveContact(store, of, { ...kept, phone, ...change })
    if (saved.ok) return 'kept'
    return saved.reason === 'field' ? [saved.detail.name, saved.detail.message] : saved.reason
  }
  expect(await fieldOf({ state: 'TX' })).toEqual(['state', '60614 is in Chicago, IL. Please enter state'])
  expect(await fieldOf({ zip: '00000' })).toEqual(['zip', 'Please enter valid US Zip Code'])
  const zipOf = (type: string) =>
    store.db
      .selectFrom('zip')
      .select(['zip', 'state', 'city'])
      .where('zip_type', '=', type)
      .limit(1)
      .executeTakeFirstOrThrow()
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

test('asks about an address that a driver may not find, and accepts the shopper’s confirmation', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { contact: kept } = await readDetails(store, cart.id)
  if (!kept) throw new Error('A ready cart has its contact.')
  const answers: unknown[] = []
  const carrier = {
    verifyAddress: (address: CarrierAddress): Promise<CarrierAnswer<AddressCheck>> => {
      answers.push(address.street)
      if (address.street.startsWith('1 Nowhere'))
        return Promise.resolve({ ok: true, value: { isDeliverable: false, suggestions: ['No such street.'] } })
      if (address.street.startsWith('2 Away')) return Promise.resolve({ ok: false, reason: 'unavailable' })
      const spelled = {
        ...address,
        street: address.street.toUpperCase().replace('STRET', 'ST'),
        zip: `${address.zip}-0001`,
      }
      return Promise.resolve({ ok: true, value: { isDeliverable: true, address: spelled, isResidential: true } })
    },
  }
  const contact = {
    ...kept,
    phone: { digits: '3125550142', extension: null },
    zip: '60614',
    city: 'Chicago',
    state: 'IL',
  }
  const save = (change: Partial<Contact>, kept: { address?: string; shop?: string } = {}, of = cart) =>
    saveContact({ ...store, carrier }, of, { ...contact, ...change }, kept)
  const asked = async (change: Partial<Contact>) => {
    const saved = await save(change)
    if (saved.ok || saved.reason !== 'address-unsure') throw new Error('Nothing was asked.')
    return saved.detail
  }

  expect(await asked({ address1: 'asdf' })).toMatchObject({ recommended: null })
  expect(await asked({ city: 'Springfield' })).toMatchObject({
    words: '60614 is in Chicago, IL.',
    recommended: { address1: kept.address1, address2: null, city: 'Chicago', state: 'IL', zip: '60614' },
  })
  // The recommendation contains no other personal details.
  expect(Object.keys((await asked({ city: 'Springfield' })).recommended ?? {})).toHaveLength(5)
  expect(await asked({ address1: '1 Nowhere St' })).toMatchObject({ recommended: null })
  const spelling = await asked({ address1: '9 Oak Stret' })
  expect(spelling.recommended).toMatchObject({ address1: '9 OAK ST', zip: '60614' })
  expect(await readDetails(store, cart.id)).toMatchObject({ contact: { address1: kept.address1 } })

  // The key confirms only this address, and the shopper isn't asked again.
  expect((await save({ address1: '8 Oak Stret' }, { address: spelling.key })).ok).toBe(false)
  expect((await save({ address1: '9 Oak Stret' }, { address: spelling.key })).ok).toBe(true)
  const before = answers.length
  expect((await save({ address1: '9 Oak Stret', firstName: 'Kim' })).ok).toBe(true)
  expect(answers).toHaveLength(before)
  // A carrier that is away, and another spelling of the same, are no reason to ask.
  expect((await save({ address1: '2 Away Avenue' })).ok).toBe(true)
  expect((await save({ address1: '3 oak avenue' })).ok).toBe(true)
  // The carrier doesn't deliver to a shopper who installs at a shop.
  const atShop = { ...cart, fulfillment: 'shop' as const, vehicle: { year: 2021 } }
  expect((await save({ address1: '1 Nowhere St' }, {}, atShop)).ok).toBe(true)
})

test('tires that are sent to the address of a shop are offered to be installed there', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { contact: kept } = await readDetails(store, cart.id)
  const shop = await store.db
    .selectFrom('shop')
    .select(['id', 'name', 'street', 'city', 'state', 'zip'])
    .where('active', '=', true)
    .where('kind', '=', 'shop')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  if (!kept) throw new Error('A ready cart has its contact.')
  const contact: Contact = {
    ...kept,
    phone: { digits: '3125550142', extension: null },
    address1: `${shop.street.toUpperCase()}, Suite 4`,
    city: shop.city,
    state: shop.state,
    zip: shop.zip,
  }
  const saved = await saveContact(store, cart, contact)
  if (saved.ok || saved.reason !== 'address-of-shop') throw new Error('Nothing was offered.')
  expect(saved.detail.shop).toEqual({ id: shop.id, name: shop.name, street: shop.street })
  expect((await saveContact(store, cart, contact, { shop: saved.detail.key })).ok).toBe(true)
  const atCounter = { ...cart, fulfillment: 'carrier-pickup' as const }
  expect((await saveContact(store, atCounter, { ...contact, address1: shop.street })).ok).toBe(true)
})

test('the details of only the given carts are deleted', async () => {
  await using store = await openTestStore(port)
  const [one, other] = [await makeReadyCart(store, { fulfillment: 'home' }), await makeReadyCart(store)]
  const forget = (cartIds: readonly string[]) =>
    store.db.transaction().execute((tx) => forgetDetailsOfCarts(tx, cartIds))
  await forget([])
  await forget([one.id])
  expect(await readDetails(store, one.id)).toMatchObject({ contact: null, billing: null })
  expect((await readDetails(store, other.id)).contact).not.toBeNull()
})
