import type { RouteConfigEntry } from '@react-router/dev/routes'
import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { paths } from './paths.ts'
import routes from './routes.ts'

/** Answered before the router, see app/http/web.ts. */
const outsideRouter = /^\/(pictures|map)\//
const catchAll = '*'
/** Linked by nothing before its page is there. */
const announced = ['deals']

const known = routes.map(({ path, index, file }: RouteConfigEntry) => ({ id: path ?? (index ? '/' : file), path: path ?? '/' }))
const routeOf = (address: string) => matchRoutes(known, new URL(address, 'https://tires.example').pathname)?.at(-1)?.route.path

/** What every path builder makes of the same word for all it asks; the builders that take an object are asked for each of its forms. */
const addresses: [name: string, address: string][] = [
  ...Object.entries(paths).map(([name, build]): [string, string] => {
    const words = Array.from({ length: Math.max(build.length, 1) }, () => 'x')
    return [name, (build as (...given: string[]) => string)(...words)]
  }),
  ...[
    { size: 'x' },
    { size: 'x', brand: 'x' },
    { size: 'x', type: 'x' },
    { size: 'x', category: 'x' },
    { size: 'x', brand: 'x', type: 'x' },
    { size: 'x', brand: 'x', category: 'x' },
    { brand: 'x', type: 'x' },
    { brand: 'x', category: 'x' },
  ].map((scope): [string, string] => ['listing', paths.listing(scope)]),
  // The page of a line under the address that articles stand below.
  ['item', `${paths.line('x', 'x')}/p`],
  ['home', paths.home()],
]

test('every address the store builds is one of its routes', () => {
  const strays = addresses.filter(
    ([name, address]) => name !== 'listing' && !announced.includes(name) && !outsideRouter.test(address) && [undefined, catchAll].includes(routeOf(address)),
  )
  expect(strays).toEqual([])
})

test('every route has an address that the store can build', () => {
  const reached = new Set(addresses.map(([, address]) => routeOf(address)))
  expect(known.map(({ path }) => path).filter((path) => path !== catchAll && !reached.has(path))).toEqual([])
})
