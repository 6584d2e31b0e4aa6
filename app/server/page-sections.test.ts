import { matchRoutes, type ServerBuild } from 'react-router'
import { expect, test } from 'vitest'
import { allRoutes as routes } from '#tests/support/routes.ts'
import { inTurn } from '../../tools/rotation.testing.ts'
import { createSections } from './page-sections.ts'

type Row = { id: string; parentId?: string; path?: string; index?: boolean }

const rows: Row[] = [
  { id: 'root', path: '' },
  ...routes.map(({ path, index }, no): Row => ({
    id: `${no} ${path ?? 'home'}`,
    parentId: 'root',
    ...(index ? { index } : { path: path ?? '' }),
  })),
]

function buildOf(all: readonly Row[]): ServerBuild {
  const byId = Object.fromEntries(all.map((row) => [row.id, row]))
  return { routes: byId, assets: { routes: byId } } as unknown as ServerBuild
}

const idsOf = (build: ServerBuild) => Object.keys(build.routes)
const sections = createSections(buildOf(rows), (part) => part)

/** The pattern that React Router finds among these routes for the page of this path. */
function patternAmong(ids: readonly string[], path: string): string | undefined {
  const among = rows.filter((row) => row.parentId !== undefined && ids.includes(row.id))
  const list = among.map((row) =>
    row.index ? { id: row.id, index: true as const } : { id: row.id, path: row.path ?? '' },
  )
  return matchRoutes(list, path.replace(/(?:_)?\.data$/, ''))?.at(-1)?.route.id
}

const filled = routes.map(({ path = '' }) => `/${path.replace(/:\w+/g, 'x').replace('*', 'no/such/page')}`)
const addresses = [
  ...filled,
  ...filled.map((path) => `${path}.data`),
  ...filled.map((path) => path.toUpperCase()),
  ...filled.map((path) => `/${path}`),
  ...filled.map((path) => `${path}/more`),
  '/_.data',
  '/%6Fffice/orders',
  '/office%2Forders',
  '/offices',
  '/constructor',
  '/__proto__/x',
]

test('an address matches the same route in its section as in the full route table', () => {
  const all = rows.map(({ id }) => id)
  const strays = inTurn(addresses).filter(
    (path) => patternAmong(idsOf(sections(path)), path) !== patternAmong(all, path),
  )
  expect(strays).toEqual([])
})

test('a section has its own routes, those that match anywhere, and the same of what browsers load', () => {
  const office = sections('/office/orders')
  const paths = rows.filter(({ id }) => id in office.routes).map(({ path }) => path)
  expect(paths.filter((path) => path && !path.startsWith('office'))).toEqual([':slug', '*'])
  expect(paths.length).toBeGreaterThan(50)
  expect(Object.keys(office.assets.routes)).toEqual(idsOf(office))
  expect(idsOf(sections('/'))).toHaveLength(4)
})

test.for(['/__manifest', '/tires-for-rideshare-drivers', '/Office', '//office', '/%6Fffice'])(
  '%s belongs to no section',
  (path) => {
    expect(idsOf(sections(path))).toHaveLength(rows.length)
  },
)

test('builds each section once, with nested routes under their parents', () => {
  const nested: Row[] = [
    { id: 'root', path: '' },
    { id: 'desk', parentId: 'root', path: 'office' },
    { id: 'orders', parentId: 'desk', path: 'orders' },
    { id: 'frame', parentId: 'root' },
    { id: 'about', parentId: 'frame', path: 'about' },
    { id: 'maybe', parentId: 'root', path: 'en?/help' },
  ]
  let made = 0
  const handlerOf = createSections(buildOf(nested), (part) => ({ no: (made += 1), ids: idsOf(part) }))
  expect(handlerOf('/office/orders').ids).toEqual(['root', 'desk', 'orders', 'frame', 'maybe'])
  expect(handlerOf('/office').no).toBe(handlerOf('/office.data').no)
  expect(handlerOf('/about').ids).toEqual(['root', 'frame', 'about', 'maybe'])
  expect(made).toBe(3)
})
