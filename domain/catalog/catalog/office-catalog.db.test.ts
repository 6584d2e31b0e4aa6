/** Tests ordering and describing model photos. */
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { addLinePicture, describePicture, findOfficeLine, movePicture, removeLinePicture } from './catalog.server.ts'

const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)

async function openModel(photos: readonly string[]) {
  const database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const deps = { db, clock: fixedClock('2026-11-20T15:00:00Z') }
  const { id: lineId } = await db.selectFrom('product_line').select('id').orderBy('id').executeTakeFirstOrThrow()
  const staff = await signInStaff(deps, 'catalog')
  const add = (description: string) =>
    addLinePicture(deps, staff, {
      lineId,
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
  movePicture(deps, staff, { lineId, picture: numbers.get(photo) ?? 0, place })

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
  must(await removeLinePicture(deps, staff, { lineId, pictureId: numbers.get('a') ?? 0 }))
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
  const about = { lineId, picture: id, mark }
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
  expect(reasonOf(await movePicture(deps, staff, { lineId: lineId + 1, picture, place: 1 }))).toBe('not-found')
  const text = { picture, description: 'Tread', mark: '' }
  expect(reasonOf(await describePicture(deps, staff, { ...text, lineId: lineId + 1 }))).toBe('not-found')
  expect(reasonOf(await movePicture(deps, support, { lineId, picture, place: 1 }))).toBe('not-allowed')
  expect(reasonOf(await describePicture(deps, support, { ...text, lineId }))).toBe('not-allowed')
  expect(await model.order()).toBe('ab')
})
