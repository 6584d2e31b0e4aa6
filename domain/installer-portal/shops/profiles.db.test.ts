/** Shop and van profiles are created and changed by staff, edited by owners, and new names are approved. */
import { expect, test } from 'vitest'
import { earliestTimes, createCalendars, holdSlot } from '#domain/scheduling/booking/booking.server.ts'
import { makeCart } from '#domain/scheduling/booking/booking.testing.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { findShop, findVans, readShopOwnership, readVanZips } from '#domain/scheduling/installers/installers.server.ts'
import { fourTires } from '#domain/scheduling/installers/installers.testing.ts'
import {
  openShop,
  saveBays,
  saveBlackoutDays,
  saveHours,
  saveLengths,
  savePrices,
  type PortalActor,
} from '#domain/installer-portal/portal/portal.server.ts'
import { baysStepForm, hoursStepForm, lengthsStepForm, pricesStepForm } from '#domain/installer-portal/portal/portal.ts'
import { ownedShop } from '#domain/installer-portal/portal/capacity.testing.ts'
import { typedSteps } from '#domain/installer-portal/portal/portal.testing.ts'
import {
  applyAsShop,
  approveShop,
  findShopApplication,
} from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import { shopApplicationForm } from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { typedApplication } from '#domain/installer-portal/shop-applications/shop-applications.testing.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  addShop,
  changeShop,
  decideProfileRequest,
  findShopRecord,
  listProfileRequests,
  saveProfileAsOwner,
  seenRequest,
} from './shops.server.ts'
import { newShopForm, profileForm, type ProfileDraft } from './shops.ts'

const typedShop = {
  name: 'Lathrop Tire',
  kind: 'shop',
  street: '12 Depot St',
  city: 'Chicago',
  zip: '60614',
  phone: '(773) 555-0188',
  website: 'lathrop.example',
  ownerName: 'Ida Lathrop',
  ownerEmail: 'ida@lathrop.example',
}

async function smallStore() {
  const database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  return { db: database.db, clock, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}

const numberOf = async (db: Database) =>
  (await db.selectFrom('catalog_version').select('number').executeTakeFirstOrThrow()).number

/** The profile of a shop as its form has it, with some fields typed anew. */
async function typedProfile(deps: { db: Database }, code: string, change: Partial<ProfileDraft> = {}) {
  const record = await findShopRecord(deps, code)
  if (!record) throw new Error('The shop of a test is gone.')
  const { name, kind, street, city, zip, phone, email, website, about, services, amenities, version } = record
  const { rimMinIn, rimMaxIn, aspectMin, receivingMinutes } = record
  const place = { name, kind, street, city, zip, phone, email, website, about, services, amenities, version }
  return { ...place, rimMinIn, rimMaxIn, aspectMin, receivingMinutes, ...change } satisfies ProfileDraft
}

/** Completes the set-up of a shop in its name, as staff do. */
async function setUp(store: Awaited<ReturnType<typeof smallStore>>, shopId: number) {
  const by: PortalActor = { staff: desk, shopId }
  const timeZone = 'America/Chicago'
  must(await saveHours(store, by, hoursStepForm.parse(typedSteps['hours']).hours))
  must(await saveBays(store, by, baysStepForm.parse({ bays: '1', dropOffs: '0' })))
  must(await savePrices(store, by, { ...pricesStepForm.parse(typedSteps['prices']), timeZone }))
  must(await saveLengths(store, by, { ...lengthsStepForm.parse(typedSteps['lengths']), timeZone }))
  must(await saveBlackoutDays(store, by, { timeZone }))
  must(await openShop(store, by, timeZone))
}

test('a shop that staff add invites its owner, and is offered once it is set up in its name', async () => {
  await using store = await smallStore()
  const support = await signInStaff(store, 'support')
  const draft = newShopForm.parse(typedShop)
  expect(await addShop(store, support, draft)).toMatchObject({ reason: 'not-allowed' })
  expect(await addShop(store, desk, { ...draft, zip: '00000' })).toMatchObject({ reason: 'zip-unknown' })
  const { code } = must(await addShop(store, desk, draft))
  const made = await findShopRecord(store, code)
  expect(made).toMatchObject({ name: 'Lathrop Tire', isInSetUp: true, isActive: false, state: 'IL' })
  const mails = await store.db
    .selectFrom('message')
    .select('to_address')
    .where('kind', '=', 'shop-invitation')
    .execute()
  expect(mails.map((mail) => mail.to_address)).toContain('ida@lathrop.example')
  expect(await findShop(store, { code })).toBeUndefined()
  const van = must(await addShop(store, desk, { ...draft, name: 'Lathrop van', kind: 'van' }))
  const { since, vans } = await readShopOwnership(store, made?.id ?? 0)
  expect(since?.toString()).toBe(store.clock.now().toString())
  expect(vans).toMatchObject([{ code: van.code, name: 'Lathrop van', status: 'open', isInSetUp: true }])
  await setUp(store, made?.id ?? 0)
  expect(await findShop(store, { code })).toMatchObject({ name: 'Lathrop Tire', website: 'https://lathrop.example/' })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('an application that ticked a van makes one with an area, and it can be booked there only', async () => {
  await using store = await smallStore()
  const typed = { ...typedApplication, 'tire-mobile-van': '1', zip: '60618' }
  const asked = shopApplicationForm.parse(typed)
  const { id } = must(await applyAsShop(store, asked, { networkKey: 'n', pictureId: null }))
  must(await approveShop(store, { id, by: desk }))
  const shopId = (await findShopApplication(store, id))?.shopId ?? 0
  const zips = ((await readVanZips(store.db, shopId)) ?? []).map(({ zip }) => zip)
  expect(zips).toContain('60618')
  expect(zips.length).toBeGreaterThan(5)
  await setUp(store, shopId)
  const vans = await findVans(store, { zip: '60618', tires: fourTires })
  expect(vans.map((van) => van.id)).toContain(shopId)
  const arrivesOn = store.clock.now().toZonedDateTimeISO('America/Chicago').toPlainDate()
  const work = { shopId, tires: fourTires, arrivesOn }
  const calendars = createCalendars(store.db)
  const [times] = await earliestTimes({ calendars, clock: store.clock }, { asks: [work] })
  const start = times?.[0]?.start
  if (!start) throw new Error('The van has no time.')
  const hold = async (zip: string) =>
    holdSlot(store, { ...work, zip, choice: { start }, cartId: await makeCart(store.db) })
  expect(await hold('99501')).toMatchObject({ reason: 'outside-area' })
  expect(must(await hold('60618'))).toMatchObject({ kind: 'mobile', stopZip: '60618' })
  const code = (await findShop(store, { id: shopId }))?.code ?? ''
  const switched = await changeShop(store, desk, code, await typedProfile(store, code, { kind: 'shop' }))
  expect(switched).toMatchObject({ reason: 'kind-fixed' })
})

test('a changed profile is on record with what it was, reaches the caches, and two forms don’t overwrite each other', async () => {
  await using shop = await ownedShop()
  const { code } = await shop.db.selectFrom('shop').select('code').executeTakeFirstOrThrow()
  const before = await numberOf(shop.db)
  const first = await typedProfile(shop, code, { name: 'Halsted Tires', about: 'Family-run since 1988.' })
  const second = await typedProfile(shop, code, { phone: '7735550100' })
  must(await changeShop(shop.deps, desk, code, first))
  expect(await numberOf(shop.db)).toBe(before + 1)
  expect(await changeShop(shop.deps, desk, code, second)).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await findShop(shop.deps, { code })).toMatchObject({
    name: 'Halsted Tires',
    slug: 'halsted-tires-chicago',
    about: 'Family-run since 1988.',
  })
  const entry = await shop.db
    .selectFrom('audit_entry')
    .select(['before', 'after'])
    .where('act', '=', 'shop.changed')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({
    before: { name: 'Halsted Tire', about: null },
    after: { name: 'Halsted Tires', about: 'Family-run since 1988.' },
  })
})

test('an owner’s profile applies immediately, except for name and address, which staff review', async () => {
  await using shop = await ownedShop()
  const { code } = await shop.db.selectFrom('shop').select('code').executeTakeFirstOrThrow()
  const asked = await typedProfile(shop, code, { name: 'Ona Tire', phone: '7735550100' })
  expect(must(await saveProfileAsOwner(shop.deps, shop.by, asked))).toEqual({ isWaiting: true })
  expect(await findShop(shop.deps, { code })).toMatchObject({ name: 'Halsted Tire', phone: '7735550100' })
  const [request] = await listProfileRequests(shop.deps, 5)
  if (!request) throw new Error('Nothing waits for approval.')
  expect(request).toMatchObject({ code, name: 'Ona Tire', requestedBy: 'Ona' })
  const decision = { code, isApproved: false, seen: seenRequest(request), reason: '' }
  expect(await decideProfileRequest(shop.deps, desk, decision)).toMatchObject({ reason: 'no-reason' })
  must(await decideProfileRequest(shop.deps, desk, { ...decision, reason: 'Send us the license.' }))
  expect(await decideProfileRequest(shop.deps, desk, { ...decision, isApproved: true })).toMatchObject({
    reason: 'gone',
  })

  const again = await typedProfile(shop, code, { name: 'Ona Tire', street: '1 New St' })
  must(await saveProfileAsOwner(shop.deps, shop.by, again))
  expect(await decideProfileRequest(shop.deps, desk, { ...decision, isApproved: true, seen: 'another' })).toMatchObject(
    { reason: 'changed-meanwhile' },
  )
  const seen = seenRequest(again)
  const both = await Promise.all(
    [1, 2].map(() => decideProfileRequest(shop.deps, desk, { ...decision, isApproved: true, seen })),
  )
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await findShop(shop.deps, { code })).toMatchObject({ name: 'Ona Tire', street: '1 New St' })
  const support = await signInStaff(shop.deps, 'support')
  expect(await decideProfileRequest(shop.deps, support, decision)).toMatchObject({ reason: 'not-allowed' })
})

test('a profile’s fields are checked one by one', () => {
  const typed = { ...typedShop, rimMinIn: '20', rimMaxIn: '16', aspectMin: '35', receivingMinutes: '60' }
  const faults = (change: Record<string, string>) =>
    profileForm.safeParse({ ...typed, ...change }).error?.issues.map(({ path }) => path[0])
  expect(faults({})).toEqual(['rimMaxIn'])
  expect(faults({ rimMaxIn: '22' })).toBeUndefined()
  expect(faults({ rimMaxIn: '30', zip: 'x', email: 'no', phone: '1', kind: 'boat' })).toEqual(
    expect.arrayContaining(['rimMaxIn', 'zip', 'email', 'phone', 'kind']),
  )
  expect(
    faults({ rimMaxIn: '22', amenities: 'a,'.repeat(20) + Array.from({ length: 13 }, (_, at) => `b${at}`).join(',') }),
  ).toEqual(['amenities'])
})
