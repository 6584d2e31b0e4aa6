import { expect, test } from 'vitest'
import { accountDeps, crv, dana, signInAs } from './accounts.testing.ts'
import { deleteAccount, readAccountData } from '#domain/operations/personal-data/personal-data.server.ts'
import {
  addAddress,
  findSession,
  keepForAccount,
  listAddresses,
  listGarage,
  noteReadings,
  remindOfRotations,
  removeAddress,
  removeVehicle,
  rotationMessageValues,
  savedContact,
  takeVehicle,
} from './accounts.server.ts'
import { stopMails } from '#domain/messaging/messages/messages.server.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase } from '#tests/support/database.ts'

type Deps = ReturnType<typeof accountDeps>
const today = Temporal.PlainDate.from('2026-11-20')

async function garageOf(deps: Deps, ...vehicles: ChosenVehicle[]) {
  const { accountId, cookie } = await signInAs(deps)
  for (const vehicle of vehicles) {
    deps.clock.set(deps.clock.now().add({ seconds: 1 }))
    await keepForAccount(deps, accountId, { vehicle })
  }
  return { accountId, cookie, garage: await listGarage(deps, accountId) }
}

test('the vehicle in use comes first, and is the one stored in the browser', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const civic = { ...crv, modelSlug: 'civic', name: '2019 Honda Civic' }
  const { accountId, garage } = await garageOf(deps, crv, civic)
  expect(garage.map(({ vehicle }) => vehicle.name)).toEqual(['2019 Honda Civic', '2019 Honda CR-V'])
  deps.clock.set(deps.clock.now().add({ seconds: 1 }))
  expect(await takeVehicle(deps, accountId, garage[1]?.id ?? '')).toEqual({ ok: true, value: crv })
  expect((await listGarage(deps, accountId))[0]?.vehicle).toEqual(crv)
})

test("no account can change another's garage", async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { garage } = await garageOf(deps, crv)
  deps.identity.person = { ...dana, subject: 'lee', email: 'lee@example.com' }
  const { accountId } = await signInAs(deps)
  const id = garage[0]?.id ?? ''
  const readings = { mileage: 1, rotatedOn: null, rotatedMileage: null, reminder: true }
  const refusal = { ok: false, reason: 'vehicle-not-found' }
  expect(await takeVehicle(deps, accountId, id)).toMatchObject(refusal)
  expect(await removeVehicle(deps, accountId, id)).toMatchObject(refusal)
  expect(await noteReadings(deps, { accountId, id, readings, today })).toMatchObject(refusal)
  expect(await takeVehicle(deps, accountId, newId())).toMatchObject(refusal)
})

test("the owner's readings give the next rotation date; an unchanged mileage keeps its date", async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { accountId, garage } = await garageOf(deps, crv)
  const id = garage[0]?.id ?? ''
  const readings = { mileage: 42_000, rotatedOn: '2026-10-20', rotatedMileage: 40_000, reminder: true }
  const noted = await noteReadings(deps, { accountId, id, readings, today })
  expect(noted.ok && noted.value?.on.toString()).toBe('2027-01-21')
  await noteReadings(deps, { accountId, id, readings, today: today.add({ days: 60 }) })
  expect((await listGarage(deps, accountId))[0]).toMatchObject({ mileageOn: '2026-11-20', rotatedOn: '2026-10-20' })
  expect(await removeVehicle(deps, accountId, id)).toEqual({ ok: true, value: crv })
  expect(await listGarage(deps, accountId)).toEqual([])
})

test('a due rotation is mailed once, to a verified email that wants it', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { accountId, garage } = await garageOf(deps, crv)
  const id = garage[0]?.id ?? ''
  const note = (rotatedOn: string, reminder = true) =>
    noteReadings(deps, { accountId, id, readings: { mileage: null, rotatedOn, rotatedMileage: null, reminder }, today })
  await note('2026-05-21')
  expect(await remindOfRotations(deps)).toBe(0)
  await note('2026-05-20', false)
  expect(await remindOfRotations(deps)).toBe(0)
  await note('2026-05-20')
  await database.db.updateTable('account').set({ email_verified_at: null }).execute()
  expect(await remindOfRotations(deps)).toBe(0)
  await database.db.updateTable('account').set({ email_verified_at: deps.clock.now() }).execute()
  expect(await Promise.all([remindOfRotations(deps), remindOfRotations(deps)])).toContain(1)
  expect(await remindOfRotations(deps)).toBe(0)
  const messages = await database.db.selectFrom('message').selectAll().execute()
  expect(messages.map(({ kind, to_address, key }) => [kind, to_address, key])).toEqual([
    ['rotation-due', 'dana@example.com', `rotation-due:${id}:2026-11-20`],
  ])

  await stopMails(deps, { kind: 'rotation-due', email: 'Dana@example.com' })
  expect((await listGarage(deps, accountId))[0]?.wantsReminder).toBe(false)
  await database.db.updateTable('account_vehicle').set({ reminded_for: null }).execute()
  await remindOfRotations(deps)
  expect(await database.db.selectFrom('message').select('id').execute()).toHaveLength(1)
  await note('2026-05-20')
  expect((await listGarage(deps, accountId))[0]?.wantsReminder).toBe(true)

  const config = {
    web: { port: 0, origin: 'https://store.example', isSecure: true, proxyHops: 0 },
    store: {
      name: 'Sidewall',
      phone: '(800) 555-0142',
      email: 'help@example.com',
      address: '100 Sample Street, Chicago, IL 60601',
    },
  }
  const values = await rotationMessageValues({ db: database.db, config }, { key: messages[0]?.key ?? '' })
  const { subject, text } = await renderMessage('rotation-due', values ?? {})
  expect(subject).toBe('Time to rotate the tires on your 2019 Honda CR-V')
  expect(text).toContain('https://store.example/account/my-garage')
})

test('an address is saved once, at most ten, and checkout prefills the one used last', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { accountId, cookie } = await signInAs(deps)
  const signedIn = (await findSession(deps, cookie))!
  expect(await savedContact(deps, signedIn)).toEqual({ email: 'dana@example.com' })
  const address = {
    firstName: 'Dana',
    lastName: 'Ruiz',
    company: null,
    address1: '1 Elm St',
    address2: null,
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    phone: { digits: '3125550142', extension: null },
    phoneType: 'mobile' as const,
  }
  expect(await addAddress(deps, accountId, address)).toMatchObject({ ok: true })
  expect(await addAddress(deps, accountId, { ...address, address1: '1 ELM ST' })).toMatchObject({
    ok: false,
    reason: 'known',
  })
  expect(await savedContact(deps, signedIn)).toEqual({ ...address, email: 'dana@example.com' })
  for (let count = 2; count <= 10; count += 1)
    expect(await addAddress(deps, accountId, { ...address, address1: `${count} Elm St` })).toMatchObject({ ok: true })
  expect(await addAddress(deps, accountId, { ...address, address1: '11 Elm St' })).toMatchObject({
    ok: false,
    reason: 'full',
  })
  const [first] = await listAddresses(deps, accountId)
  expect(await removeAddress(deps, newId(), first?.id ?? '')).toBe(false)
  expect(await removeAddress(deps, accountId, first?.id ?? '')).toBe(true)
  expect(await listAddresses(deps, accountId)).toHaveLength(9)
})

test("an account's data is complete without secrets; after deletion only its orders are left", async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const { accountId, cookie } = await garageOf(deps, crv)
  await keepForAccount(deps, accountId, { zip: '60614', compared: ['1'], searches: [{ label: 'a', path: '/a' }] })
  const grant = { accountId, type: 'Fleet', how: 'staff', until: null, by: 'Sam' } as const
  await grantType(deps, grant)
  const order = await database.db.selectFrom('sales_order').select(['id', 'cart_id']).limit(1).executeTakeFirstOrThrow()
  await database.db.updateTable('cart').set({ account_id: accountId }).where('id', '=', order.cart_id).execute()
  const text = JSON.stringify(await readAccountData(deps, accountId))
  for (const part of ['dana@example.com', '60614', '2019 Honda CR-V', '"/a"', String(order.id), 'Fleet'])
    expect(text).toContain(part)
  for (const secret of [cookie.split('.')[1], 'refresh 0', 'access 0', 'secret']) expect(text).not.toContain(secret)

  await deleteAccount(deps, accountId)
  expect(await findSession(deps, cookie)).toBeUndefined()
  expect(await database.db.selectFrom('account').select('id').where('id', '=', accountId).execute()).toEqual([])
  for (const table of [
    'account_identity',
    'account_session',
    'account_vehicle',
    'account_search',
    'account_personalization',
    'account_grant',
  ] as const)
    expect(
      await database.db.selectFrom(table).select('account_id').where('account_id', '=', accountId).execute(),
    ).toEqual([])
  expect(
    await database.db.selectFrom('sales_order').select('id').where('id', '=', order.id).executeTakeFirst(),
  ).toEqual({ id: order.id })
})
