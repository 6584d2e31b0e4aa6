/** Shop team members are invited, changed and removed by owners, and at least one owner remains. */
import { queuedJoinEmails } from '#domain/kernel/staff/joins.testing.ts'
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { joinMessageValues } from '#domain/kernel/staff/staff.server.ts'
import { readConfig } from '#platform/config.ts'
import { ownedShop } from './capacity.testing.ts'
import { mostInvitationsADay } from './people.ts'
import { peopleMessageValues } from './people-messages.server.ts'
import {
  changeRole,
  endMember,
  findPortalSession,
  invitePerson,
  listPeople,
  openPortal,
  type PortalActor,
} from './portal.server.ts'

type Shop = Awaited<ReturnType<typeof ownedShop>>
const wes = { email: 'wes@example.com', name: 'Wes', role: 'technician' as const }

const people = async ({ store, shopId }: Shop) => (await listPeople(store, shopId)).people
const idOf = async (shop: Shop, name: string) => (await people(shop)).find((each) => each.name === name)?.id ?? ''

/** Signs an invited person in. */
async function comeIn({ store, shopId }: Shop, name: string, subject = name): Promise<PortalActor | undefined> {
  const opened = await openPortal(store, {
    issuer: 'https://id.example',
    person: { subject, email: `${name}@example.com`, isEmailVerified: true, name },
    idToken: null,
    authenticatedAt: store.clock.now(),
    session: undefined,
  })
  const session = opened.ok ? await findPortalSession(store, opened.value.cookie) : undefined
  return session && { sessionId: session.sessionId, shopId }
}

test('an invited person has an email, signs in with that address, and is written down', async () => {
  await using shop = await ownedShop()
  expect(await comeIn(shop, 'wes')).toBeUndefined()
  must(await invitePerson(shop.store, shop.by, wes))
  expect(await invitePerson(shop.store, shop.by, wes)).toMatchObject({ reason: 'already-member' })
  const mails = await shop.db
    .selectFrom('message')
    .select(['to_address', 'kind', 'key'])
    .where('to_address', '=', 'wes@example.com')
    .execute()
  expect(mails).toMatchObject([{ to_address: 'wes@example.com', kind: 'shop-invitation' }])
  const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  expect(await peopleMessageValues({ db: shop.db, config: config.value }, mails[0] ?? { key: '' })).toMatchObject({
    shop: 'Halsted Tire',
    inviter: 'Ona',
    role: 'a technician',
  })
  const by = await comeIn(shop, 'wes')
  if (!by) throw new Error('Wes cannot sign in.')
  expect(await people(shop)).toMatchObject([
    { name: 'Ona', role: 'owner', isBound: true },
    { name: 'Wes', role: 'technician', isBound: true },
  ])
  expect(await invitePerson(shop.store, by, { ...wes, email: 'x@example.com' })).toMatchObject({
    reason: 'not-allowed',
  })

  // The email gave access once, but not to another person who has it later.
  expect(await comeIn(shop, 'wes', 'another wes')).toBeUndefined()
  const joins = await shop.db.selectFrom('audit_entry').select(['act', 'via', 'subject']).orderBy('id').execute()
  expect(joins.at(-1)).toEqual({ act: 'shop-member.bound', via: 'sign-in', subject: 'wes@example.com' })
  const joined = await queuedJoinEmails(shop.db)
  const values = await Promise.all(joined.map((mail) => joinMessageValues({ config: config.value }, mail)))
  expect(values.at(-1)).toMatchObject({ access: 'the shop portal', accessUrl: `${config.value.web.origin}/portal` })

  // Role changes take effect immediately, in both directions.
  must(await changeRole(shop.store, shop.by, { memberId: await idOf(shop, 'Wes'), role: 'owner' }))
  must(await invitePerson(shop.store, by, { ...wes, email: 'x@example.com', name: 'Xenia' }))
  must(await endMember(shop.store, shop.by, await idOf(shop, 'Wes')))
  expect(await invitePerson(shop.store, by, { ...wes, email: 'y@example.com' })).toMatchObject({
    reason: 'not-allowed',
  })
  const { events } = await listPeople(shop.store, shop.shopId)
  expect(events.map(({ act, about, who, note }) => [act, about, who, note])).toEqual([
    ['ended', 'Wes', 'Ona', 'owner'],
    ['invited', 'Xenia', 'Wes', 'technician'],
    ['role', 'Wes', 'Ona', 'owner'],
    ['invited', 'Wes', 'Ona', 'technician'],
  ])
})

test('the last owner can’t be removed, and other shops’ members can’t be changed', async () => {
  await using shop = await ownedShop()
  const ona = await idOf(shop, 'Ona')
  expect(await endMember(shop.store, shop.by, ona)).toMatchObject({ reason: 'last-owner' })
  expect(await changeRole(shop.store, shop.by, { memberId: ona, role: 'technician' })).toMatchObject({
    reason: 'last-owner',
  })
  await using other = await ownedShop()
  const stranger = await idOf(other, 'Ona')
  expect(await endMember(shop.store, shop.by, stranger)).toMatchObject({ reason: 'not-found' })
  expect(await changeRole(shop.store, shop.by, { memberId: stranger, role: 'owner' })).toMatchObject({
    reason: 'not-found',
  })
})

test.for([1, 2, 3])('two owners who end each other at once leave one (%i)', async () => {
  await using shop = await ownedShop()
  must(await invitePerson(shop.store, shop.by, { ...wes, role: 'owner' }))
  const by = await comeIn(shop, 'wes')
  if (!by) throw new Error('Wes cannot sign in.')
  const [ona, other] = [await idOf(shop, 'Ona'), await idOf(shop, 'Wes')]
  const outcomes = await Promise.all([
    endMember(shop.store, shop.by, other),
    changeRole(shop.store, by, { memberId: ona, role: 'technician' }),
  ])
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  expect((await people(shop)).filter(({ role }) => role === 'owner')).toHaveLength(1)
})

test('daily invitations are limited because each one sends an email', async () => {
  await using shop = await ownedShop()
  for (let no = 0; no < mostInvitationsADay; no++) {
    must(await invitePerson(shop.store, shop.by, { ...wes, email: `t${no}@example.com`, name: `T${no}` }))
    must(await endMember(shop.store, shop.by, await idOf(shop, `T${no}`)))
  }
  expect(await invitePerson(shop.store, shop.by, wes)).toMatchObject({ reason: 'too-many' })
  shop.clock.set(shop.clock.now().add({ hours: 25 }))
  const again = await comeIn(shop, 'ona')
  expect(await invitePerson(shop.store, again ?? shop.by, wes)).toMatchObject({ ok: true })
})
