import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCatalog, lockMinimums, setMapPrices } from '#domain/catalog/catalog/catalog.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  promotionDrafts,
  draftPromotion,
  endPromotion,
  findPromotion,
  listLeftOut,
  listPromotions,
  schedulePromotion,
  selectAllBelowMinimum,
  setMinimumPrices,
  testPromotion,
} from './promotions.server.ts'
import { belowMinimumText, promotionDraftForm } from './promotions.ts'
import { insertSettings } from '#domain/kernel/settings/settings.sql.server.ts'
import { fixedTerms } from '#domain/kernel/settings/business-terms.testing.ts'

const now = smallDataMadeAt
const after = (hours: number) => now.add({ hours })
const at = (db: Database, hours = 0) => ({ db, clock: fixedClock(after(hours)) })

const draftOf = (change: Record<string, string> = {}) =>
  promotionDraftForm.parse({
    formKey: randomUUID(),
    name: 'Winter sale',
    headline: '$40 off each tire',
    kind: 'Flat Amount',
    amount: '40',
    subject: '',
    fundedBy: 'store',
    ...change,
  })

async function draft(db: Database, change: Record<string, string> = {}): Promise<number> {
  const drafted = await draftPromotion(at(db), desk, draftOf(change))
  return drafted.ok ? drafted.value : expect.unreachable(drafted.reason)
}

async function scheduled(db: Database, planId: number, [from, to]: [number, number]): Promise<number> {
  const done = await schedulePromotion(at(db), desk, { planId, version: 1, startsAt: after(from), endsAt: after(to) })
  if (!done.ok) return expect.unreachable(done.reason)
  return done.value.state === 'scheduled' ? done.value.promotionId : expect.unreachable('It needs approval.')
}

async function refusalOf(statement: Promise<unknown>): Promise<string | undefined> {
  return statement.then(
    () => undefined,
    (error: unknown) => violatedConstraint(error),
  )
}

test('a draft is in no price until it is scheduled and starts, and stops at its end', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const planId = await draft(db)
  const shown = async (hours: number) =>
    (await createCatalog(at(db, hours)).cache.promotions()).some(
      ({ name, startsAt, endsAt }) =>
        name === 'Winter sale' &&
        Temporal.Instant.compare(startsAt, after(hours)) <= 0 &&
        Temporal.Instant.compare(after(hours), endsAt) < 0,
    )
  expect(await shown(2)).toBe(false)
  const id = await scheduled(db, planId, [1, 3])
  expect(await shown(0)).toBe(false)
  expect(await shown(1)).toBe(true)
  expect(await shown(2)).toBe(true)
  expect(await shown(3)).toBe(false)
  const stateOf = async (hours: number) => {
    for (const state of ['scheduled', 'running', 'ended'] as const)
      if (
        (await listPromotions(at(db, hours), { state, after: null })).promotions.some((row) => row.promotionId === id)
      )
        return state
    return undefined
  }
  expect(await stateOf(0)).toBe('scheduled')
  expect(await stateOf(2)).toBe('running')
  expect(await stateOf(3)).toBe('ended')
})

test('a form sent again makes no second draft, and a draft is scheduled once', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const same = draftOf()
  const [first, second] = [await draftPromotion(at(db), desk, same), await draftPromotion(at(db), desk, same)]
  expect(second).toEqual(first)
  const planId = await draft(db)
  const times = { planId, version: 1, startsAt: after(1), endsAt: after(3) }
  const all = await Promise.all(Array.from({ length: 5 }, () => schedulePromotion(at(db), desk, times)))
  expect(all.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await promotionDrafts.discard(at(db), desk, planId)).toMatchObject({ reason: 'other-state' })
})

test('a schedule in the past or backward is refused, and so is a subject the catalog does not have', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const planId = await draft(db)
  const schedule = (from: number, to: number) =>
    schedulePromotion(at(db), desk, { planId, version: 1, startsAt: after(from), endsAt: after(to) })
  expect(await schedule(-1, 2)).toMatchObject({ reason: 'starts-in-past' })
  expect(await schedule(2, 2)).toMatchObject({ reason: 'ends-before-start' })
  expect(await draftPromotion(at(db), desk, draftOf({ subject: 'no-such-brand' }))).toMatchObject({
    reason: 'no-subject',
  })
})

test('the schema refuses to edit a promotion, and to lengthen one from the office', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const id = await scheduled(db, await draft(db), [1, 3])
  const set = (change: Record<string, unknown>) =>
    refusalOf(db.updateTable('promotion').set(change).where('id', '=', id).execute())
  expect(await set({ amount: 1 })).toBe('promotion_never_edited')
  expect(await set({ brand_id: 1 })).toBe('promotion_never_edited')
  expect(await set({ name: 'Other' })).toBe('promotion_never_edited')
  expect(await set({ ends_at: after(4) })).toBe('promotion_ends_earlier_only')
  expect(await set({ starts_at: after(2) })).toBe('promotion_ends_earlier_only')
  expect(await refusalOf(sql`update promotion_plan set amount = 1 where promotion_id = ${id}`.execute(db))).toBe(
    'promotion_plan_never_edited',
  )
})

test('ending a promotion applies immediately, a scheduled one returns to draft, and both are audited', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const running = await scheduled(db, await draft(db), [0, 9])
  expect(await endPromotion(at(db, 2), desk, { promotionId: running, reason: 'Sold out' })).toMatchObject({ ok: true })
  expect((await findPromotion({ db }, `p${running}`))?.endsAt).toEqual(after(2))
  expect(await endPromotion(at(db, 3), desk, { promotionId: running, reason: 'Again' })).toMatchObject({
    reason: 'other-state',
  })
  const planId = await draft(db)
  const waiting = await scheduled(db, planId, [1, 3])
  expect(await endPromotion(at(db), desk, { promotionId: waiting, reason: 'Wrong' })).toMatchObject({
    value: { draftId: planId },
  })
  expect(await findPromotion({ db }, `p${waiting}`)).toBeUndefined()
  const acts = await db.selectFrom('audit_entry').select('act').where('act', 'like', 'promotion.%').execute()
  expect(acts.map(({ act }) => act)).toEqual(expect.arrayContaining(['promotion.ended', 'promotion.withdrawn']))
})

test('a new version ends the one it replaces when it starts', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const first = await scheduled(db, await draft(db), [1, 9])
  const next = await draft(db, { replaces: String(first), amount: '50' })
  expect(
    await schedulePromotion(at(db), desk, { planId: next, version: 1, startsAt: after(1), endsAt: after(9) }),
  ).toMatchObject({
    reason: 'original-not-begun',
  })
  expect(await endPromotion(at(db), desk, { promotionId: first, reason: 'Wrong' })).toMatchObject({
    reason: 'has-version',
  })
  await scheduled(db, next, [4, 9])
  expect((await findPromotion({ db }, `p${first}`))?.endsAt).toEqual(after(4))
})

test('a draft is tested against a cart with the pricing of orders', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  await db.deleteFrom('promotion').execute()
  const { sku } = await db
    .selectFrom('item')
    .select('sku')
    .where('retail_cents', '>', 10_000)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const found = await findPromotion({ db }, `d${await draft(db)}`)
  if (!found) return expect.unreachable()
  const ask = (change = {}) =>
    testPromotion({ catalog: createCatalog(at(db)), businessTerms: fixedTerms() }, found, {
      cart: [{ sku, quantity: 4 }],
      state: 'IL',
      ...change,
    })
  const tested = await ask()
  if (!tested.ok) return expect.unreachable(tested.reason)
  expect(tested.value.without.totals.itemPromotionCents).toBe(0)
  expect(tested.value.with.totals.itemPromotionCents).toBe(16_000)
  expect(tested.value.with.totals.taxCents).toBeLessThan(tested.value.without.totals.taxCents)
  expect(await ask({ cart: [{ sku: 'NOTHING', quantity: 1 }] })).toMatchObject({ reason: 'not-sold' })
  expect(await ask({ state: 'ZZ' })).toMatchObject({ reason: 'no-delivery' })
})

test('a minimum above the retail price or a promotion, running or scheduled, is saved only once that is accepted', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  await db.deleteFrom('promotion').execute()
  const [tire, other] = await db
    .selectFrom('item')
    .select(['id', 'sku'])
    .where('active', '=', true)
    .orderBy('id')
    .limit(2)
    .execute()
  if (!tire || !other) return expect.unreachable('no tires')
  await db.updateTable('item').set({ retail_cents: 10_000, cost_cents: 5_000 }).execute()
  const set = (mapCents: number | null, acceptsBelow = false, hours = 0) =>
    setMinimumPrices(at(db, hours), desk, {
      prices: [
        { sku: tire.sku, mapCents },
        { sku: other.sku, mapCents: 5_000 },
      ],
      acceptsBelow,
    })
  const warned = async (mapCents: number, hours = 0) => {
    const done = await set(mapCents, false, hours)
    if (done.ok) return []
    return done.reason === 'below-minimum' ? done.detail.tires.map(belowMinimumText) : [done.reason]
  }
  const saved = async () =>
    (await db.selectFrom('item').select('map_cents').where('id', '=', tire.id).executeTakeFirstOrThrow()).map_cents

  expect(await warned(10_001)).toEqual([`${tire.sku} at $100.00, minimum $100.01`])
  expect(await saved()).toBeNull()
  expect((await set(10_001, true)).ok).toBe(true)
  expect(await saved()).toBe(10_001)
  expect(await warned(10_000)).toEqual([])
  expect(await saved()).toBe(10_000)
  expect((await set(null)).ok).toBe(true)

  await scheduled(db, await draft(db, { amount: '10' }), [24, 48])
  const sale = `${tire.sku} at $90.00 with promotion Winter sale, minimum $90.01`
  expect(await warned(9_001)).toEqual([sale])
  expect(await warned(9_000)).toEqual([])
  expect(await warned(9_001, 47)).toEqual([sale])
  expect(await warned(9_001, 48)).toEqual([])
  expect((await set(null)).ok).toBe(true)
})

test('a promotion on every tire leaves out tires below their minimum, and a promotion on only such a tire is refused', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  await db.deleteFrom('promotion').execute()
  const [tire, other] = await db
    .selectFrom('item')
    .select(['id', 'sku'])
    .where('active', '=', true)
    .orderBy('id')
    .limit(2)
    .execute()
  if (!tire || !other) return expect.unreachable('no tires')
  await db.updateTable('item').set({ retail_cents: 10_000, cost_cents: 5_000 }).execute()
  const prices = [{ sku: tire.sku, mapCents: 9_500 }]
  expect((await setMinimumPrices(at(db), desk, { prices, acceptsBelow: true })).ok).toBe(true)

  const alone = await draft(db, { amount: '10', subject: tire.sku })
  const times = { version: 1, startsAt: after(24), endsAt: after(48) }
  const below = { itemId: tire.id, sku: tire.sku, priceCents: 9_000, mapCents: 9_500 }
  expect(await schedulePromotion(at(db), desk, { planId: alone, ...times })).toMatchObject({
    reason: 'below-map',
    detail: [below],
  })

  const planId = await draft(db, { amount: '10' })
  const drafted = await findPromotion({ db }, `d${planId}`)
  expect(drafted && (await listLeftOut({ db }, drafted))).toEqual([below])
  const promotionId = await scheduled(db, planId, [24, 48])
  const made = await findPromotion({ db }, `p${promotionId}`)
  expect(made && (await listLeftOut({ db }, made))).toEqual([below])
  const catalog = createCatalog({ db, clock: fixedClock(after(30)) })
  const book = await catalog.cache.prices()
  const items = await catalog.cache.itemsByNumber([tire.id, other.id])
  const applied = (id: number) => {
    const item = items.find((each) => each.id === id) ?? expect.unreachable('no tire')
    const price = book.priceOf(item)
    return (price.charged ?? price).promotions.map((promotion) => promotion.id)
  }
  expect(applied(tire.id)).not.toContain(promotionId)
  expect(applied(other.id)).toContain(promotionId)
  const ofSale = async () =>
    (await selectAllBelowMinimum(db, { at: after(30), limit: 50 })).filter(({ name }) => name === 'Winter sale')
  expect(await ofSale()).toEqual([])

  // A minimum that is set later makes the other one a tire to decide about, which no page advertises.
  const later = [{ sku: other.sku, mapCents: 9_500 }]
  expect((await setMinimumPrices(at(db, 30), desk, { prices: later, acceptsBelow: true })).ok).toBe(true)
  expect(await ofSale()).toMatchObject([
    { sku: other.sku, priceCents: 9_000, mapCents: 9_500, cause: 'promotion', name: 'Winter sale' },
  ])
  catalog.clear()
  const [reread] = await catalog.cache.itemsByNumber([other.id])
  const tag = reread && (await catalog.cache.prices()).priceOf(reread)
  expect(tag).toMatchObject({ promotion: null, wasCents: null })
  expect(tag?.charged?.promotions.map(({ id }) => id)).toContain(promotionId)
  expect(tag && tag.unitCents - tag.fetCents).toBe(9_500)
})

test('a store that shows prices in the cart schedules a promotion below the minimum', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const tire = await db
    .selectFrom('item')
    .select(['id', 'sku'])
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('item').set({ retail_cents: 10_000, cost_cents: 5_000 }).execute()
  const prices = [{ sku: tire.sku, mapCents: 9_500 }]
  expect((await setMinimumPrices(at(db), desk, { prices, acceptsBelow: true })).ok).toBe(true)
  await db
    .transaction()
    .execute((tx) => insertSettings(tx, [{ name: 'below-map', value: 'price-in-cart' }], { by: 'desk', at: after(0) }))
  const promotionId = await scheduled(db, await draft(db, { amount: '10', subject: tire.sku }), [24, 48])
  const made = await findPromotion({ db }, `p${promotionId}`)
  expect(made && (await listLeftOut({ db }, made))).toEqual([])
})

test('a price or minimum that changes while a promotion is being scheduled counts', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  await db.deleteFrom('promotion').execute()
  const [tire, other] = await db
    .selectFrom('item')
    .select(['id', 'sku'])
    .where('active', '=', true)
    .orderBy('id')
    .limit(2)
    .execute()
  if (!tire || !other) return expect.unreachable('no tires')
  await db.updateTable('item').set({ retail_cents: 10_000, cost_cents: 5_000 }).execute()
  const set = (sku: string, mapCents: number) =>
    setMinimumPrices(at(db), desk, { prices: [{ sku, mapCents }], acceptsBelow: false })
  expect((await set(tire.sku, 8_900)).ok).toBe(true)
  const planId = await draft(db, { kind: 'Percentage', amount: '10' })

  // Someone lowers a price and sets a first minimum, and commits after the promotion began to be scheduled.
  const held = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const changing = db.transaction().execute(async (tx) => {
    await lockMinimums(tx)
    await tx.updateTable('item').set({ retail_cents: 9_800 }).where('id', '=', tire.id).execute()
    await setMapPrices(tx, [{ sku: other.sku, mapCents: 9_500 }], () => now)
    holding.resolve()
    await held.promise
  })
  await holding.promise
  const scheduling = scheduled(db, planId, [24, 48])
  await untilBlocked(db)
  held.resolve()
  await changing
  const made = await findPromotion({ db }, `p${await scheduling}`)
  expect(made && (await listLeftOut({ db }, made)).map(({ itemId, priceCents }) => [itemId, priceCents])).toEqual([
    [tire.id, 8_820],
    [other.id, 9_000],
  ])
})

test('tires below their minimum are listed once each, those with the oldest minimum first', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  await db.deleteFrom('promotion').execute()
  const tires = await db
    .selectFrom('item')
    .select(['id', 'sku'])
    .where('active', '=', true)
    .orderBy('id')
    .limit(4)
    .execute()
  const [first, second, third, unlisted] = tires
  if (!first || !second || !third || !unlisted) return expect.unreachable('no tires')
  await db.updateTable('item').set({ retail_cents: 10_000, cost_cents: 5_000 }).execute()
  for (const [sku, hours] of [
    [first.sku, 3],
    [second.sku, 1],
    [third.sku, 1],
    [unlisted.sku, 0],
  ] as const)
    expect(
      (await setMinimumPrices(at(db, hours), desk, { prices: [{ sku, mapCents: 10_100 }], acceptsBelow: true })).ok,
    ).toBe(true)
  await db.updateTable('item').set({ listed: false }).where('id', '=', unlisted.id).execute()
  const list = async (after: { at: Temporal.Instant; id: number } | null, limit: number) =>
    (await selectAllBelowMinimum(db, { at: now, limit, after })).map(({ itemId }) => itemId)
  expect(await list(null, 9)).toEqual([second.id, third.id, first.id])
  expect(await list(null, 1)).toEqual([second.id])
  expect(await list({ at: after(1), id: second.id }, 9)).toEqual([third.id, first.id])
})

async function untilBlocked(db: Database): Promise<void> {
  await eventually('a blocked transaction', async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0 || undefined
  })
}
