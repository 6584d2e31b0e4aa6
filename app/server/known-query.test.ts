import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allRoutes as routes } from '#tests/support/routes.ts'
import { listQueryNames } from '#app/office/list-address.ts'
import { officeListDefinitions } from '#app/office/lists.server.ts'
import { anyOf, onlyIf, thresholdFacets } from '#domain/catalog/catalog/catalog.ts'
import { plainReviewQuery, reviewParameters } from '#domain/aftercare/reviews/reviews.ts'
import { createKnownAddress, knownQuery } from './known-query.ts'

const built = routes.map(({ id, path, index }, number) => ({
  id: id ?? String(number),
  ...(path === undefined ? {} : { path }),
  ...(index ? { index } : {}),
}))
const known = createKnownAddress(built)

test.for([
  ['/', '/'],
  ['/?fbclid=1&gclid=2&utm_source=x', '/'],
  ['/?by=size&made=up', '/?by=size'],
  ['/contact?made=up', '/contact'],
  ['/no/such/page?a=1', '/no/such/page'],
  ['/about?a=1', '/about'],
  [
    '/tire-sizes/225-65R17?utm_medium=mail&brand=tarn&x=1&brand=corvane&max=200',
    '/tire-sizes/225-65R17?brand=tarn&brand=corvane&max=200',
  ],
  ['/Tire-Sizes/225-65R17?MAX=200', '/Tire-Sizes/225-65R17'],
  ['/tire-sizes/225-65R17.data?x=1&sort=price&_routes=a', '/tire-sizes/225-65R17.data?_routes=a&sort=price'],
  ['/_root.data?x=1&by=size', '/_root.data?by=size'],
  ['/vehicles/honda/cr-v/2019?trim=EX&constructor=1&__proto__=1', '/vehicles/honda/cr-v/2019?trim=EX'],
  ['/api/sso-landing?code=1&state=2&iss=3&new=4', '/api/sso-landing?code=1&state=2&iss=3&new=4'],
  ['/__manifest?paths=%2Fcart&version=x', '/__manifest?paths=%2Fcart&version=x'],
  ['/search?q=%3Cb%3E+a%26b', '/search?q=%3Cb%3E+a%26b'],
] as const)('%s is read as %s', ([asked, read]) => {
  expect(known(asked)).toBe(read)
  expect(known(known(asked))).toBe(read)
})

test('an office list page accepts the query parameters of all its lists', () => {
  for (const list of officeListDefinitions)
    expect(knownQuery[list.path.slice(1)], list.name).toEqual(expect.arrayContaining(listQueryNames(list)))
})

test('every page in the table exists', () => {
  const patterns = new Set(built.map(({ path }) => path ?? '/'))
  expect(Object.keys(knownQuery).filter((pattern) => !patterns.has(pattern))).toEqual([])
})

/** Code in a page's source that reads its query, and the parameters the page must then declare. */
const readers: readonly [reads: RegExp, names: readonly string[]][] = [
  [
    /readListing\(|parseQuery\(/,
    [...anyOf, ...thresholdFacets, ...onlyIf, 'min', 'max', 'sort', 'size', 'page', 'after'],
  ],
  [/parseReviewQuery\(/, Object.keys(reviewParameters(plainReviewQuery))],
  [/require(?:Own)?Order\(/, ['order', 'key', 'look']],
]

test.for(routes.map(({ path, file }) => ({ pattern: path ?? '/', file })))(
  'the page at $pattern knows what it reads of its query',
  ({ pattern, file }) => {
    const source = readFileSync(`app/${file}`, 'utf8')
    const named = [...source.matchAll(/(?:searchParams|\bquery|\bparams)\.(?:get|getAll|has)\('([^']+)'/g)].map(
      ([, name = '']) => name,
    )
    const read = [...named, ...readers.flatMap(([reads, names]) => (reads.test(source) ? names : []))]
    const own = Object.hasOwn(knownQuery, pattern) ? knownQuery[pattern] : []
    if (own === null) return
    expect(read.filter((name) => !own?.includes(name))).toEqual([])
    expect(source.includes('searchParams') && own?.length === 0).toBe(false)
  },
)
