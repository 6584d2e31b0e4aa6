import type { RouteConfigEntry } from '@react-router/dev/routes'
import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { fixedPages } from '#app/content/fixed-pages.ts'
import { officePaths } from './office-paths.ts'
import { paths } from './paths.ts'
import { serverPaths } from './server-paths.ts'
import { portalPaths } from './portal-paths.ts'
import { allRoutes } from '#tests/support/routes.ts'
import { setUpSteps } from '#domain/installer-portal/portal/portal.ts'

/** Handled before the router, see app/server/web.ts. */
const outsideRouter =
  /^\/((pictures|map|sitemaps|feeds|portal\/feed|widget|\.well-known)\/|api\/openapi\.json$|widget\.js$|leave-store$)/
const catchAll = '*'
/** The sign-in provider sends people back there (shop.ts); no page links to it. */
const landing = 'api/sso-landing'
/** Requested by a script that is not part of the build (app/ui/measure.js). */
const asked = 'privacy-choices/asks'

const known = allRoutes.map(({ path, index, file }: RouteConfigEntry) => ({
  id: path ?? (index ? '/' : file),
  path: path ?? '/',
}))
const routeOf = (address: string) =>
  matchRoutes(known, new URL(address, 'https://tires.example').pathname)?.at(-1)?.route.path

/** Arguments for builders that take more than strings. */
const special: Partial<Record<keyof typeof paths, unknown[]>> = {
  listing: [
    { size: 'x' },
    { brand: 'x' },
    { type: 'x' },
    { category: 'x' },
    { brand: 'x', type: 'x' },
    { brand: 'x', category: 'x' },
    { size: 'x', brand: 'x' },
    { size: 'x', type: 'x' },
    { size: 'x', category: 'x' },
    { size: 'x', brand: 'x', type: 'x' },
    { size: 'x', brand: 'x', category: 'x' },
  ],
  checkoutPayment: ['x', 'apple-pay', 'google-pay'],
  compare: [[], ['1', '2-3']],
  scopeReviews: [{ brand: 'x' }, { type: 'x' }, { category: 'x' }],
  deal: ['x', 'black-friday-sale', 'cyber-monday-sale'],
  article: ['learn/x/x', 'press/x/x'],
  written: ['x', 'affiliates', ...Object.keys(fixedPages)],
}

const addresses: [name: string, address: string][] = [
  ...Object.entries(paths).flatMap(([name, build]) => {
    const ask = build as (...given: unknown[]) => string
    const forms = special[name as keyof typeof paths]?.map((given) => [given]) ?? [['x', 'x', 'x', 'x'], []]
    return forms.map((given): [string, string] => [name, ask(...given)])
  }),
  ...Object.entries(serverPaths).map(([name, build]): [string, string] => [
    name,
    (build as (given: string) => string)('x'),
  ]),
  ...Object.entries(officePaths).map(([name, build]): [string, string] => [
    name,
    (build as (...given: unknown[]) => string)('x', 'x'),
  ]),
  ...Object.entries(portalPaths).flatMap(([name, build]) =>
    (name === 'setUpStep' ? setUpSteps : ['x']).map((last): [string, string] => [
      name,
      (build as (...given: unknown[]) => string)('x', last),
    ]),
  ),
  // The page of a line, at an address that items extend.
  ['item', `${paths.line('x', 'x')}/p`],
]

test('every address the store builds is one of its routes', () => {
  // A landing page can have any name, so its route must not hide a missing page.
  const isStray = (name: string, address: string) =>
    [undefined, catchAll, ...(name === 'written' ? [] : [':slug'])].includes(routeOf(address))
  const strays = addresses.filter(([name, address]) => !outsideRouter.test(address) && isStray(name, address))
  expect(strays).toEqual([])
})

test('every route has an address that the store can build', () => {
  const reached = new Set(addresses.map(([, address]) => routeOf(address)))
  expect(
    known
      .map(({ path }) => path)
      .filter((path) => path !== catchAll && path !== landing && path !== asked && !reached.has(path)),
  ).toEqual([])
})
