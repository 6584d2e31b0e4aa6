/** Recalls, with affected buyers, one notification each, and refusal at installation. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import { tiresOfRecalls } from './recalls.sql.server.ts'
import { goodTin, receiveTires, technicianOf, wholeInput } from './work-orders.testing.ts'
import {
  answerRecall,
  closeRecall,
  discardRecall,
  draftRecall,
  extendRecall,
  finishJob,
  listRecalls,
  moveJob,
  openRecall,
  readJob,
  readRecall,
  readRecallsOfOrder,
  recallMessageValues,
  saveJob,
  selectTiresOfOrder,
  tellOfRecall,
  watchRecalls,
} from './work-orders.server.ts'
import type { TinRange } from './recall-form.ts'

const config = {
  web: { origin: 'https://store.example' },
  session: { secret: 'a secret for tests only' },
  store: { name: 'Sidewall', phone: '(800) 555-0100' },
  demo: true,
}

/** A store with the first job that is not over, its tires there and the car in the shop. */
async function openStore() {
  const database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const booking = await db
    .selectFrom('booking')
    .select(['id', 'order_id as orderId', 'shop_id as shopId'])
    .where('state', '=', 'confirmed')
    .orderBy('during')
    .executeTakeFirstOrThrow()
  const store = {
    db,
    clock: fixedClock(smallDataMadeAt),
    config: config as never as Parameters<typeof readJob>[0]['config'] &
      Parameters<typeof recallMessageValues>[0]['config'],
  }
  const by = await technicianOf(store, booking.shopId)
  const bookingId = booking.id
  await receiveTires(store, by, bookingId)
  must(await moveJob(store, by, { bookingId, to: 'arrived' }))
  const job = await readJob(store, { shopId: by.shopId, bookingId })
  if (!job) throw new Error('There is no job.')
  return {
    ...store,
    by,
    job,
    bookingId,
    orderId: booking.orderId ?? 0,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
type Store = Awaited<ReturnType<typeof openStore>>

/** The range around the tires that tests install, plant 7B3, first week of 2026. */
const around: TinRange = { plant: '7B3', code: 'KXYZ', fromWeek: 202_550, toWeek: 202_602 }

async function fitAll(store: Store) {
  must(await finishJob(store, store.by, { bookingId: store.bookingId, input: wholeInput(store.job) }))
  const [tire] = await selectTiresOfOrder(store.db, store.orderId)
  if (!tire) throw new Error('No tire is registered.')
  return tire
}

/** The article of the job's first tire, as a registration has it. */
async function articleOf({ db, orderId }: Store) {
  return db
    .selectFrom('order_line')
    .innerJoin('item', 'item.id', 'order_line.item_id')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select(['brand.name as brand', 'product_line.name as line', 'size.designation as size'])
    .where('order_line.order_id', '=', orderId)
    .executeTakeFirstOrThrow()
}

async function draft(store: Store, { campaign = '26T-004', ranges = [around], ...change }: Partial<RecallDraft> = {}) {
  const { brand } = await articleOf(store)
  const recall = {
    campaign,
    maker: brand,
    line: null,
    sizes: [],
    defect: 'Treads separate.',
    remedy: 'Replaced free.',
    ...change,
  }
  return draftRecall(store, desk, { recall, ranges })
}
type RecallDraft = Parameters<typeof draftRecall>[2]['recall'] & { ranges: TinRange[] }

const mails = (store: Store) =>
  store.db.selectFrom('message').select(['key', 'order_id']).where('kind', '=', 'recall-notice').execute()

test('buyers of registered tires are notified once each, across processes', async () => {
  await using store = await openStore()
  const tire = await fitAll(store)
  must(await draft(store))
  expect((await readRecall(store, { campaign: '26T-004', show: 'all', after: 0 }))?.counts).toEqual({
    tires: store.job.tires.length,
    orders: 1,
    told: 0,
    bounced: 0,
    answered: 0,
  })
  // A draft sends no notifications.
  expect(await watchRecalls(store)).toBe(0)
  expect(await tellOfRecall(store, '26T-004')).toBe(0)
  must(await openRecall(store, desk, '26T-004'))
  const runs = await Promise.all([
    ...Array.from({ length: 8 }, () => tellOfRecall(store, '26T-004')),
    watchRecalls(store),
    watchRecalls(store),
  ])
  expect(runs.reduce((sum, told) => sum + told, 0)).toBe(1)
  expect(await mails(store)).toMatchObject([{ order_id: store.orderId }])
  const notices = await store.db.selectFrom('recall_notice').select(['registration_id']).execute()
  expect(notices).toHaveLength(store.job.tires.length)
  const twice = store.db
    .insertInto('recall_notice')
    .columns(['recall_id', 'registration_id', 'order_id', 'message_key', 'told_at'])
    .expression(
      store.db
        .selectFrom('recall_notice')
        .select(['recall_id', 'registration_id', 'order_id', 'message_key', 'told_at']),
    )
  expect(await twice.execute().then(() => 'allowed', violatedConstraint)).toBe('recall_notice_pkey')

  const [mail] = await mails(store)
  const values = await recallMessageValues(store, {
    key: mail?.key ?? '',
    orderId: store.orderId,
  })
  const { text, subject } = await renderMessage('recall-notice', values ?? {}, { footer: null })
  expect(subject).toContain('Safety recall')
  for (const words of [
    '26T-004',
    'Treads separate.',
    'Replaced free.',
    '7B3 KXYZ92 0126',
    `/recall/${store.orderId}?key=`,
  ])
    expect(text).toContain(words)
  expect(tire.tin).toBe(goodTin)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('only matching plant, code, weeks, manufacturer, model, and size are recalled', async () => {
  await using store = await openStore()
  const { brand, line, size } = await fitAll(store)
  const cases: [Partial<RecallDraft>, boolean][] = [
    [{ line, sizes: [size] }, true],
    [{ ranges: [{ ...around, code: '' }] }, true],
    [{ ranges: [{ ...around, fromWeek: 202_601, toWeek: 202_601 }, around] }, true],
    [{ ranges: [{ ...around, plant: '7B' }] }, false],
    [{ ranges: [{ ...around, code: 'KXYZ93' }] }, false],
    [{ ranges: [{ ...around, fromWeek: 202_602 }] }, false],
    [{ ranges: [{ ...around, toWeek: 202_552 }] }, false],
  ]
  for (const [index, [change, isRecalled]] of cases.entries()) {
    const campaign = `26T-1${String(index).padStart(2, '0')}`
    must(await draft(store, { ...change, campaign }))
    const found = await readRecall(store, { campaign, show: 'all', after: 0 })
    expect(found?.counts.tires, JSON.stringify(change)).toBe(isRecalled ? store.job.tires.length : 0)
  }
  const others = await store.db
    .selectFrom('brand')
    .innerJoin('product_line', 'product_line.brand_id', 'brand.id')
    .select(['brand.name', 'product_line.name as line'])
    .where('brand.name', '<>', brand)
    .executeTakeFirstOrThrow()
  const otherSize = await store.db
    .selectFrom('size')
    .select('designation')
    .where('designation', '<>', size)
    .executeTakeFirstOrThrow()
  must(await draft(store, { campaign: '26T-200', maker: others.name }))
  must(await draft(store, { campaign: '26T-201', sizes: [otherSize.designation] }))
  for (const campaign of ['26T-200', '26T-201'])
    expect((await readRecall(store, { campaign, show: 'all', after: 0 }))?.counts.tires).toBe(0)
  expect(await draft(store, { campaign: '26T-202', maker: 'Nobody' })).toMatchObject({ reason: 'unknown-maker' })
  expect(await draft(store, { campaign: '26T-202', line: 'Nothing' })).toMatchObject({ reason: 'unknown-line' })
  expect(await draft(store, { campaign: '26T-202', sizes: ['1/1R1'] })).toMatchObject({
    reason: 'unknown-sizes',
    detail: ['1/1R1'],
  })
  expect(await draft(store, { campaign: '26T-200' })).toMatchObject({ reason: 'recall-exists' })
})

test('a tire under an open recall is not fitted, and what else was typed is kept', async () => {
  await using store = await openStore()
  const { bookingId, by, job } = store
  must(await draft(store))
  must(await saveJob(store, by, { bookingId, input: wholeInput(job, { signedName: null }) }))
  must(await openRecall(store, desk, '26T-004'))
  const names = job.tires.map(({ lineNo, nth }) => `tin-${lineNo}-${nth}`)
  expect(await finishJob(store, by, { bookingId, input: wholeInput(job) })).toMatchObject({
    reason: 'recalled',
    detail: names.map((name) => ({ name, campaign: '26T-004', defect: 'Treads separate.' })),
  })
  const kept = await readJob(store, { shopId: by.shopId, bookingId })
  expect(kept?.state).toBe('arrived')
  expect(kept?.tires.map(({ tin, oldTread32 }) => [tin, oldTread32])).toEqual(names.map(() => [null, 3]))
  expect(kept?.odometerMiles).toBe(41_836)
  expect(kept?.signedName).toBe('Iris Vale')
  expect(await selectTiresOfOrder(store.db, store.orderId)).toEqual([])
  // One tire of another week is fitted; the others are still refused.
  const [first, ...rest] = wholeInput(job).tires
  if (!first) throw new Error('There is no tire.')
  const mixed = { ...wholeInput(job), tires: [{ ...first, tin: '7B3KXYZ924025' }, ...rest] }
  expect(await saveJob(store, by, { bookingId, input: mixed })).toMatchObject({
    detail: names.slice(1).map((name) => ({ name })),
  })
  must(await closeRecall(store, desk, '26T-004'))
  must(await finishJob(store, by, { bookingId, input: mixed }))
  expect(await tellOfRecall(store, '26T-004')).toBe(0)
})

test('earlier installations and extended recalls are found and notified later', async () => {
  await using store = await openStore()
  must(await draft(store, { ranges: [{ ...around, plant: '9Z9' }] }))
  must(await openRecall(store, desk, '26T-004'))
  await fitAll(store)
  expect(await watchRecalls(store)).toBe(0)
  must(await extendRecall(store, desk, { campaign: '26T-004', ranges: [around, around] }))
  expect(await watchRecalls(store)).toBe(1)
  expect(await watchRecalls(store)).toBe(0)
  const { recalls, next } = await listRecalls(store, { before: null })
  expect(recalls).toMatchObject([{ campaign: '26T-004', state: 'open', told: store.job.tires.length }])
  expect(next).toBeNull()
  expect((await readRecallsOfOrder(store.db, store.orderId)).get('26T-004')).toHaveLength(store.job.tires.length)
})

test('the list of recalls has every recall once, page by page', async () => {
  await using store = await openStore()
  const campaigns = Array.from({ length: 102 }, (_, at) => `26T-${String(at + 1).padStart(3, '0')}`)
  for (const campaign of campaigns) must(await draft(store, { campaign }))
  const first = await listRecalls(store, { before: null })
  const second = await listRecalls(store, { before: first.next })
  const last = await listRecalls(store, { before: second.next })
  const pages = [first, second, last].map(({ recalls }) => recalls.map(({ campaign }) => campaign))
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 2])
  expect(pages.flat()).toEqual(campaigns.toReversed())
  expect(last.next).toBeNull()
})

test('the back office shows bounced emails and replies', async () => {
  await using store = await openStore()
  await fitAll(store)
  must(await draft(store))
  must(await openRecall(store, desk, '26T-004'))
  await tellOfRecall(store, '26T-004')
  const read = async (show: 'all' | 'bounced') => {
    const page = await readRecall(store, { campaign: '26T-004', show, after: 0 })
    return [
      page?.tires.length,
      page?.tires[0]?.state,
      page?.counts.bounced,
      page?.counts.answered,
      page?.tires[0]?.answer,
    ]
  }
  const all = store.job.tires.length
  expect(await read('all')).toEqual([all, 'told', 0, 0, null])
  expect(await read('bounced')).toEqual([0, undefined, 0, 0, undefined])
  await store.db.updateTable('message').set({ state: 'refused' }).where('kind', '=', 'recall-notice').execute()
  const { orderId } = store
  must(await answerRecall(store, { orderId, campaign: '26T-004', answer: 'will-go' }))
  must(await answerRecall(store, { orderId, campaign: '26T-004', answer: 'replaced' }))
  expect(await read('bounced')).toEqual([all, 'bounced', 1, 1, 'replaced'])
  for (const campaign of ['26T-005', 'x'])
    expect(await answerRecall(store, { orderId, campaign, answer: 'replaced' })).toMatchObject({
      reason: 'recall-not-found',
    })
  expect(await answerRecall(store, { orderId: 1, campaign: '26T-004', answer: 'replaced' })).toMatchObject({
    reason: 'recall-not-found',
  })
})

test('a recall goes from draft to open to closed, in the database too', async () => {
  await using store = await openStore()
  must(await draft(store))
  expect(await closeRecall(store, desk, '26T-004')).toMatchObject({ reason: 'other-state', detail: { state: 'draft' } })
  const opened = await Promise.all([1, 2, 3].map(() => openRecall(store, desk, '26T-004')))
  expect(opened.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await discardRecall(store, desk, '26T-004')).toMatchObject({ reason: 'other-state' })
  const back = sql`update recall set state = 'draft', opened_at = null`.execute(store.db)
  expect(await back.then(() => 'allowed', violatedConstraint)).toBe('recall_life')
  must(await draft(store, { campaign: '26T-006' }))
  must(await discardRecall(store, desk, '26T-006'))
  expect(await discardRecall(store, desk, '26T-006')).toMatchObject({ reason: 'recall-not-found' })
  expect(await extendRecall(store, desk, { campaign: '26T-006', ranges: [around] })).toMatchObject({
    reason: 'recall-not-found',
  })
})

test('recalled tires are found by plant and week through the index', async () => {
  await using store = await openStore()
  await fitAll(store)
  must(await draft(store))
  await sql`
    insert into tire_registration (booking_id, line_no, nth, position, order_id, shop_id, tin, brand, line, size, buyer_name, street, city, us_state, zip, installed_at)
    select booking_id, 100 + n / 1000, n % 1000, 'LF', order_id, shop_id,
      (n % 9 + 1) || chr(65 + n % 8) || 'BCSDWL' || lpad((n % 52 + 1)::text, 2, '0') || '2' || n % 6, brand, line, size, buyer_name, street, city, us_state, zip, installed_at
    from (select * from tire_registration limit 1) as one, generate_series(1, 20000) as n`.execute(store.db)
  await sql`analyze tire_registration, recall, recall_range`.execute(store.db)
  const { rows } = await sql<{
    'QUERY PLAN': string
  }>`explain ${tiresOfRecalls(sql`recall.id = ${1}`)}`.execute(store.db)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toMatch(/Index (?:Only )?Scan (?:using|on) tire_registration_by_tin/)
  expect(plan).toMatch(/Index Cond: \(\(plant = span\.plant\) AND \(made_week >= span\.from_week\)/)
  expect(plan).not.toContain('Seq Scan on tire_registration')
  expect((await readRecall(store, { campaign: '26T-004', show: 'all', after: 0 }))?.counts.tires).toBe(
    store.job.tires.length,
  )
})
