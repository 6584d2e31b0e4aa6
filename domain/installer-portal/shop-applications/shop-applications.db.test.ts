/** Applications of shops from the form to the shop, sent twice, decided twice, and never shown too early. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readFile } from '#domain/kernel/files/files.server.ts'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { offerTimes } from '#domain/scheduling/booking/booking.server.ts'
import {
  countShopsByState,
  findShop,
  findShopsNear,
  listShopMembers,
  listShopNames,
  listShopsInArea,
  listUrbanAreas,
  listVansServing,
  findVans,
} from '#domain/scheduling/installers/installers.server.ts'
import { fourTires } from '#domain/scheduling/installers/installers.testing.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { readConfig } from '#platform/config.ts'
import { violatedConstraint } from '#platform/db.ts'
import { storeDay } from '#platform/store-zone.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  answerQuestion,
  applicationsPerHour,
  applyAsShop,
  approveShop,
  askApplicant,
  findKeptPicture,
  findShopApplication,
  findShopPicture,
  forgetUnsentPictures,
  keepPicture,
  listShopApplications,
  listWaitingShopApplications,
  openDraft,
  readLinkedApplication,
  refuseShop,
  sealDraft,
  shopApplicationLink,
  shopApplicationMessageValues,
  withdrawApplication,
} from './shop-applications.server.ts'
import {
  shopApplicationForm,
  shopApplicationLife,
  shopApplicationStates,
  type ShopApplicationAsked,
  type ShopApplicationState,
} from './shop-applications.ts'
import { typedApplication } from './shop-applications.testing.ts'

async function openStore() {
  const config = readConfig({ DATABASE_URL: 'postgres://nobody@localhost/none' })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const database = await createTestDatabase({ from: 'small' })
  return {
    db: database.db,
    clock: fixedClock(smallDataMadeAt),
    config: config.value,
    files: filesInRows,
    rateLimits: createRateLimits(database),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
type Store = Awaited<ReturnType<typeof openStore>>

const sender = { networkKey: 'network-1', pictureId: null }

function form(change: Record<string, string> = {}): ShopApplicationAsked {
  const { agree: _, ...asked } = shopApplicationForm.parse({ ...typedApplication, ...change })
  return asked
}

async function apply(store: Store, change: Record<string, string> = {}): Promise<number> {
  return must(await applyAsShop(store, form(change), sender)).id
}

const mailsOf = async ({ db }: Store) =>
  (
    await db
      .selectFrom('message')
      .select(['kind', 'to_address'])
      .where('kind', 'like', 'shop-application%')
      .orderBy('created_at')
      .execute()
  ).map(({ kind, to_address: to }) => `${kind} ${to}`)

test('twenty identical applications create one, with one email, and another one for the address is rejected', async () => {
  await using store = await openStore()
  const ids = await Promise.all(Array.from({ length: 20 }, () => apply(store)))
  expect(new Set(ids).size).toBe(1)
  expect(await mailsOf(store)).toEqual(['shop-application-received renata@wctire.example'])
  expect(await applyAsShop(store, form({ company: 'Other Tire', street: '4318 n western ave' }), sender)).toMatchObject(
    {
      reason: 'open-already',
      detail: { id: ids[0] },
    },
  )
  expect((await findShopApplication(store, ids[0] ?? 0))?.story.map(({ to }) => to)).toEqual(['submitted'])
})

test('one network sends few an hour; ZIP codes have to exist, in the state', async () => {
  await using store = await openStore()
  for (let count = 0; count < applicationsPerHour; count++) await apply(store, { street: `${count + 1} Western Ave` })
  expect(await applyAsShop(store, form({ street: '99 Western Ave' }), sender)).toMatchObject({
    reason: 'too-many-requests',
  })
  store.clock.set(store.clock.now().add({ hours: 1, seconds: 1 }))
  expect((await applyAsShop(store, form({ street: '99 Western Ave' }), sender)).ok).toBe(true)
  expect(await applyAsShop(store, form({ zip: '00000' }), sender)).toMatchObject({ reason: 'zip-unknown' })
  expect(await applyAsShop(store, form({ state: 'WI' }), sender)).toMatchObject({
    reason: 'zip-elsewhere',
    detail: { state: 'IL' },
  })
})

test('a question is answered by the link once, and the application is decided again in turn', async () => {
  await using store = await openStore()
  const id = await apply(store)
  must(await askApplicant(store, { id, question: 'Do you take 22 inch rims?', by: desk }))
  expect(await askApplicant(store, { id, question: 'And vans?', by: desk })).toMatchObject({ reason: 'not-open' })
  expect(await listWaitingShopApplications(store, 10)).toEqual([])
  const token = shopApplicationLink(store.config, id).split('/').at(-1) ?? ''
  expect((await readLinkedApplication(store, token))?.question).toBe('Do you take 22 inch rims?')
  for (const wrong of ['', 'x', `${id}`, token.slice(0, -1), `${id + 1}.${token.split('.')[1]}`])
    expect(await readLinkedApplication(store, wrong)).toBeUndefined()
  store.clock.set(store.clock.now().add({ hours: 2 }))
  const answers = await Promise.all([1, 2].map((nth) => answerQuestion(store, { id, answer: `Yes, ${nth}` })))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  const [waiting] = await listWaitingShopApplications(store, 10)
  expect(waiting?.id).toEqual(id)
  expect(waiting?.waitingSince.toString()).toBe(store.clock.now().toString())
  // Its email is rendered with the question, though that is answered by now.
  const { key } = await store.db
    .selectFrom('message')
    .select('key')
    .where('kind', '=', 'shop-application-asked')
    .executeTakeFirstOrThrow()
  const values = (await shopApplicationMessageValues(store, { key })) ?? {}
  const { text } = await renderMessage('shop-application-asked', values)
  expect(text).toContain('Do you take 22 inch rims?')
  expect(text).toContain(shopApplicationLink(store.config, id))
})

test('approval creates the shop and its members once, hidden from shopper lists', async () => {
  await using store = await openStore()
  const { db } = store
  // A city without any shop, so that not even its name appears.
  const place = await sql<{ zip: string; city: string; state: string }>`
    select zip, city, state from zip where latitude is not null and time_zone is not null and zip_type = 'STANDARD'
      and not exists (select from shop where shop.city = zip.city and shop.state = zip.state) order by zip limit 1`.execute(
    db,
  )
  const there = place.rows[0] ?? { zip: '', city: '', state: '' }
  const id = await apply(store, there)
  const before = await offered(store, there.zip)
  const decided = await Promise.all([approveShop(store, { id, by: desk }), approveShop(store, { id, by: desk })])
  expect(decided.filter(({ ok }) => ok)).toHaveLength(1)
  const found = await findShopApplication(store, id)
  const shopId = found?.shopId ?? 0
  const shop = await db.selectFrom('shop').selectAll().where('id', '=', shopId).executeTakeFirstOrThrow()
  expect(shop).toMatchObject({ active: false, in_set_up: true, name: 'Western & Cullom Tire', zip: there.zip })
  expect(shop.code).toBe(`SW-${String(shopId).padStart(5, '0')}`)
  expect(await listShopMembers(store, shopId)).toEqual([
    { email: 'renata@wctire.example', name: 'Renata Kowal', role: 'owner' },
    { email: 'theo@wctire.example', name: 'Theo Brandt', role: 'technician' },
  ])
  const hours = await db.selectFrom('shop_hours').select('weekday').where('shop_id', '=', shopId).execute()
  expect(hours.map(({ weekday }) => weekday)).toEqual([1, 2, 3, 4, 5, 6])
  expect(await offered(store, there.zip)).toEqual(before)
  expect(await findShop(store, { id: shopId })).toBeUndefined()
  expect(await findShop(store, { code: shop.code })).toBeUndefined()
  const asked = { shopId, tires: fourTires, arrivesOn: storeDay(store.clock.now()) }
  expect(await offerTimes(store, asked)).toMatchObject({ reason: 'shop-not-found' })
  // The database refuses to offer it while it is in set-up.
  const open = sql`update shop set active = true where id = ${shopId}`.execute(db)
  expect(await open.catch(violatedConstraint)).toBe('shop_in_set_up_is_not_offered')
  expect(await verify(db, store.clock.now())).toEqual([])
})

/** All shopper-facing lists, by ZIP code, state and city. */
async function offered(store: Store, zip: string) {
  const areas = await listUrbanAreas(store)
  const near = await findShopsNear(store, { near: { zip } })
  const states = await countShopsByState(store)
  return {
    areas,
    near: near.ok ? near.value.map(({ id }) => id) : near.reason,
    vans: (await findVans(store, { zip })).map(({ id }) => id),
    serving: (await listVansServing(store, [zip])).map(({ id }) => id),
    states,
    names: await listShopNames(
      store,
      states.map(({ state }) => state),
    ),
    inAreas: (await Promise.all(areas.slice(0, 20).map((area) => listShopsInArea(store, area))))
      .flat()
      .map(({ id }) => id),
  }
}

test('a refusal is emailed word for word, and the same shop may apply again', async () => {
  await using store = await openStore()
  const id = await apply(store)
  must(await refuseShop(store, { id, reason: 'Your insurance ended.', by: desk }))
  expect(await approveShop(store, { id, by: desk })).toMatchObject({ reason: 'not-open' })
  expect(await withdrawApplication(store, { id })).toMatchObject({ reason: 'over' })
  const kept = await store.db.selectFrom('shop_application').select('network_key').where('id', '=', id).execute()
  expect(kept).toEqual([{ network_key: null }])
  const { key } = await store.db
    .selectFrom('message')
    .select('key')
    .where('kind', '=', 'shop-application-refused')
    .executeTakeFirstOrThrow()
  const values = (await shopApplicationMessageValues(store, { key })) ?? {}
  expect((await renderMessage('shop-application-refused', values)).text).toContain('Your insurance ended.')
  expect(await apply(store)).toBeGreaterThan(id)
  expect((await listShopApplications(store, { state: 'refused', before: null })).applications).toHaveLength(1)
})

test('a picture is re-encoded and kept for the form, sent with it, and forgotten without it', async () => {
  await using store = await openStore()
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .withExif({ IFD0: { Copyright: 'someone' } })
    .jpeg()
    .toBuffer()
  const keep = () => keepPicture(store, { name: 'front.jpg', bytes }, { networkKey: 'network-1' })
  const [sent, unsent] = [must(await keep()), must(await keep())]
  expect(await findKeptPicture(store, sent.id)).toBe('front.webp')
  const { id } = must(await applyAsShop(store, form(), { ...sender, pictureId: sent.id }))
  expect(await findKeptPicture(store, sent.id)).toBeUndefined()
  const picture = await findShopPicture(store, id)
  const stored = (await readFile(store, picture?.key ?? '')) ?? expect.fail()
  expect((await sharp(stored.bytes).metadata()).format).toBe('webp')
  expect(stored.bytes.includes('someone')).toBe(false)
  // A picture that was sent belongs to that application.
  const other = must(await applyAsShop(store, form({ street: '1 Other Ave' }), { ...sender, pictureId: sent.id }))
  expect(await findShopPicture(store, other.id)).toBeUndefined()
  expect(await forgetUnsentPictures(store.db, store.clock.now())).toBe(0)
  expect(await forgetUnsentPictures(store.db, store.clock.now().add({ seconds: 1 }))).toBe(1)
  expect(await findKeptPicture(store, unsent.id)).toBeUndefined()
  const pdf = await keepPicture(
    store,
    { name: 'a.pdf', bytes: Buffer.from('%PDF-1.7\n%%EOF') },
    { networkKey: 'network-1' },
  )
  expect(pdf).toMatchObject({ reason: 'other-kind' })
})

test('a draft opens only with its seal and contains only form fields', async () => {
  const config = { session: { secret: 'a secret for tests only' } }
  const sealed = sealDraft(config, { values: { ...typedApplication, hack: 'x' }, pictureId: null })
  const { agree: _, ...typed } = typedApplication
  expect(openDraft(config, sealed)).toEqual({ values: typed, pictureId: null })
  expect(sealed.length).toBeLessThan(4_000)
  for (const wrong of ['', 'x', sealed.slice(1), `${sealed.slice(0, -2)}aa`])
    expect(openDraft(config, wrong)).toBeNull()
  expect(openDraft({ session: { secret: 'another secret for tests' } }, sealed)).toBeNull()
})

test('the database allows exactly the transitions in shopApplicationLife', async () => {
  await using store = await openStore()
  const id = await apply(store)
  const put = (state: ShopApplicationState) => sql`
    update shop_application set state = ${state}, question = case when ${state} = 'asked' then 'Why?' end, refusal = case when ${state} = 'refused' then 'No' end,
      shop_id = case when ${state} = 'approved' then (select min(id) from shop) end, network_key = null,
      closed_at = case when ${state} in ('submitted', 'asked') then null else now() end, closed_by = case when ${state} in ('submitted', 'asked') then null else 'x' end
    where id = ${id}`
  for (const from of shopApplicationStates)
    for (const to of shopApplicationStates.filter((state) => state !== from)) {
      const moved = await store.db
        .transaction()
        .execute(async (tx) => {
          await sql`alter table shop_application disable trigger shop_application_life`.execute(tx)
          await put(from).execute(tx)
          await sql`alter table shop_application enable trigger shop_application_life`.execute(tx)
          await put(to).execute(tx)
          throw new Error('undone')
        })
        .catch((error: unknown) => violatedConstraint(error) ?? 'allowed')
      const expected = shopApplicationLife[from].includes(to) ? 'allowed' : 'shop_application_life'
      expect(moved, `${from} ${to}`).toEqual(expected)
    }
})
