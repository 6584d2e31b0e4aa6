/** Tests ordering and describing model and tire photos. */
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  addPicture,
  createCatalog,
  describePicture,
  findOfficeLine,
  getProduct,
  listPictures,
  movePicture,
  removePicture,
} from './catalog.server.ts'

const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)

async function openModel(photos: readonly string[]) {
  const database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const deps = { db, clock: fixedClock('2026-11-20T15:00:00Z') }
  const { id: lineId } = await db.selectFrom('product_line').select('id').orderBy('id').executeTakeFirstOrThrow()
  const staff = await signInStaff(deps, 'catalog')
  const add = (description: string) =>
    addPicture(deps, staff, {
      of: { kind: 'line', id: lineId },
      picture: { key: description.padStart(32, '0'), bytes: Buffer.from(description) },
      description,
    })
  for (const photo of photos) must(await add(photo))
  const listed = async () => (await findOfficeLine(deps, lineId))?.pictures ?? []
  return {
    db,
    deps,
    lineId,
    staff,
    add,
    listed,
    order: async () => (await listed()).map(({ description }) => description).join(''),
    positions: async () =>
      (
        await db
          .selectFrom('line_picture')
          .select('position')
          .where('product_line_id', '=', lineId)
          .orderBy('position')
          .execute()
      ).map(({ position }) => position),
    numbers: new Map((await listed()).map(({ id, description }) => [description, id])),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

type Model = Awaited<ReturnType<typeof openModel>>
const move = ({ deps, staff, lineId, numbers }: Model, photo: string, place: number) =>
  movePicture(deps, staff, { of: { kind: 'line', id: lineId }, picture: numbers.get(photo) ?? 0, place })

test('moving a photo preserves the order of the others, and new photos are last', async () => {
  await using model = await openModel(['a', 'b', 'c', 'd'])
  for (const [photo, place, order] of [
    ['c', 2, 'acbd'],
    ['a', 2, 'cabd'],
    ['a', 2, 'cabd'],
    ['d', 1, 'dcab'],
    ['d', 6, 'cabd'],
  ] as const) {
    must(await move(model, photo, place))
    expect(await model.order()).toBe(order)
  }
  must(await model.add('e'))
  expect(await model.order()).toBe('cabde')
  const { deps, staff, lineId, numbers } = model
  must(await removePicture(deps, staff, { of: { kind: 'line', id: lineId }, picture: numbers.get('a') ?? 0 }))
  must(await model.add('f'))
  expect(await model.order()).toBe('cbdef')
  const acts = await model.db.selectFrom('audit_entry').select('id').where('act', '=', 'line.picture-moved').execute()
  expect(acts).toHaveLength(4)
})

test('the first move gives photos distinct positions', async () => {
  await using model = await openModel(['a', 'b', 'c'])
  await model.db.updateTable('line_picture').set({ position: 0 }).execute()
  must(await move(model, 'c', 2))
  expect(await model.order()).toBe('acb')
  expect(new Set(await model.positions()).size).toBe(3)
})

test('simultaneous moves lose no photo and no position', async () => {
  await using model = await openModel(['a', 'b', 'c', 'd'])
  const moveBoth = async (ends: string, starts: string) =>
    (await Promise.all([move(model, ends, 4), move(model, starts, 1)])).map(reasonOf)
  for (let round = 0; round < 5; round++) {
    expect(await moveBoth('a', 'd')).toEqual(['ok', 'ok'])
    expect(await model.order()).toBe('dbca')
    expect(await moveBoth('d', 'a')).toEqual(['ok', 'ok'])
    expect(await model.order()).toBe('abcd')
    expect(new Set(await model.positions()).size).toBe(4)
  }
  const all = await Promise.all([model.add('e'), model.add('f'), move(model, 'd', 1)])
  expect(all.map(reasonOf)).toEqual(['ok', 'ok', 'ok'])
  expect(['dabcef', 'dabcfe']).toContain(await model.order())
  expect(new Set(await model.positions()).size).toBe(6)
})

test('the second of two simultaneous descriptions is a conflict', async () => {
  await using model = await openModel(['a', 'b'])
  const { deps, staff, lineId } = model
  const [{ id, mark } = { id: 0, mark: '' }] = await model.listed()
  const about = { of: { kind: 'line', id: lineId }, picture: id, mark } as const
  const answers = await Promise.all(
    ['Tread', 'Sidewall'].map((description) => describePicture(deps, staff, { ...about, description })),
  )
  expect(answers.map(reasonOf).toSorted()).toEqual(['changed-meanwhile', 'ok'])
  const [{ description } = { description: '' }] = await model.listed()
  expect(reasonOf(await describePicture(deps, staff, { ...about, description }))).toBe('ok')
})

test('photos of other models and roles without the permission are refused', async () => {
  await using model = await openModel(['a', 'b'])
  const { deps, staff, lineId, numbers } = model
  const support = await signInStaff(deps, 'support')
  const picture = numbers.get('b') ?? 0
  const of = { kind: 'line', id: lineId } as const
  const another = { kind: 'line', id: lineId + 1 } as const
  expect(reasonOf(await movePicture(deps, staff, { of: another, picture, place: 1 }))).toBe('not-found')
  const text = { picture, description: 'Tread', mark: '' }
  expect(reasonOf(await describePicture(deps, staff, { ...text, of: another }))).toBe('not-found')
  expect(reasonOf(await movePicture(deps, support, { of, picture, place: 1 }))).toBe('not-allowed')
  expect(reasonOf(await describePicture(deps, support, { ...text, of }))).toBe('not-allowed')
  expect(await model.order()).toBe('ab')
})

test('a tire shows its own photos before its model’s, and its model’s other tires do not', async () => {
  await using model = await openModel(['a'])
  const { db, deps, staff, lineId } = model
  const [own, other] = await db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['item.id', 'item.sku', 'line.slug as lineSlug', 'brand.slug as brandSlug'])
    .where('line.id', '=', lineId)
    .where('active', '=', true)
    .orderBy('item.id')
    .limit(2)
    .execute()
  if (!own || !other) expect.fail('The model has too few tires.')
  const of = { kind: 'item', id: own.id } as const
  const keyOf = (photo: string) => photo.padStart(32, '0')
  const add = (photo: string) =>
    addPicture(deps, staff, { of, picture: { key: keyOf(photo), bytes: Buffer.from(photo) }, description: photo })
  /** The descriptions on the product page, and the key of the small picture. */
  const shown = async ({ id, brandSlug, lineSlug }: typeof own) => {
    const found = must(await getProduct(createCatalog(deps), { brandSlug, lineSlug, itemId: id }))
    return [found.texts.photos.map(({ description }) => description).join(''), found.item.photo]
  }
  expect(await shown(own)).toEqual(['a', keyOf('a')])
  for (const photo of ['b', 'c', 'b']) must(await add(photo))
  expect(await shown(own)).toEqual(['bca', keyOf('b')])
  expect(await shown(other)).toEqual(['a', keyOf('a')])

  const [, second] = await listPictures(deps, of)
  const picture = second?.id ?? 0
  must(await movePicture(deps, staff, { of, picture, place: 1 }))
  expect(await shown(own)).toEqual(['cba', keyOf('c')])
  // A tire's photo is not one of its model's.
  const byLine = { of: { kind: 'line', id: lineId }, picture } as const
  expect(reasonOf(await movePicture(deps, staff, { ...byLine, place: 1 }))).toBe('not-found')
  must(await removePicture(deps, staff, byLine))
  expect(await shown(own)).toEqual(['cba', keyOf('c')])

  const about = { of, picture, mark: second?.mark ?? '' }
  const answers = await Promise.all(
    ['Tread', 'Sidewall'].map((description) => describePicture(deps, staff, { ...about, description })),
  )
  expect(answers.map(reasonOf).toSorted()).toEqual(['changed-meanwhile', 'ok'])

  // The model has the same photo, so its bytes stay.
  must(await model.add('c'))
  expect((await shown(own))[0]).toMatch(/^(?:Tread|Sidewall)ba$/)
  for (const { id } of await listPictures(deps, of)) must(await removePicture(deps, staff, { of, picture: id }))
  expect(await shown(own)).toEqual(['ac', keyOf('a')])
  const kept = await db.selectFrom('catalog_picture').select('key').orderBy('key').execute()
  expect(kept.map(({ key }) => key)).toEqual([keyOf('a'), keyOf('c')])
  const acts = await db.selectFrom('audit_entry').select('act').where('subject', '=', own.sku).orderBy('id').execute()
  expect(acts.map(({ act }) => act)).toEqual(
    ['added', 'added', 'moved', 'described', 'removed', 'removed'].map((done) => `item.picture-${done}`),
  )
})

test('a tire has up to six photos, added by roles with the permission', async () => {
  await using model = await openModel([])
  const { db, deps, staff } = model
  const { id } = await db.selectFrom('item').select('id').orderBy('id').executeTakeFirstOrThrow()
  const add = (by: typeof staff, key: string, itemId = id) =>
    addPicture(deps, by, {
      of: { kind: 'item', id: itemId },
      picture: { key: key.padStart(32, '0'), bytes: Buffer.from(key) },
      description: key,
    })
  const answers = await Promise.all(['1', '2', '3', '4', '5', '6', '7'].map((key) => add(staff, key)))
  expect(answers.map(reasonOf).toSorted()).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'too-many'])
  expect(reasonOf(await add(await signInStaff(deps, 'support'), '8'))).toBe('not-allowed')
  expect(reasonOf(await add(staff, '9', 999_999_999))).toBe('not-found')
})
