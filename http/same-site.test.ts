import { expect, test } from 'vitest'
import { comesFromElsewhere, comesFromHere } from './same-site.ts'

const own = 'https://store.example'

test.for<[origin: string | undefined, site: string | undefined, isOurs: boolean, isForeign: boolean]>([
  [own, 'same-origin', true, false],
  [own, undefined, true, false],
  [undefined, 'same-origin', true, false],
  // Reloaded by its visitor.
  [own, 'none', true, false],
  [undefined, 'none', false, false],
  // An API client; for a page's form, not enough.
  [undefined, undefined, false, false],
  ['https://evil.test', 'cross-site', false, true],
  ['https://evil.test', undefined, false, true],
  [undefined, 'cross-site', false, true],
  ['https://shop.store.example', 'same-site', false, true],
  [undefined, 'same-site', false, true],
  // A sandboxed frame, a file, or a cross-site redirect.
  ['null', 'cross-site', false, true],
  ['null', undefined, false, true],
  // Our own page with the referrer policy no-referrer.
  ['null', 'same-origin', true, false],
  ['null', 'same-site', false, true],
  ['null', 'none', false, true],
  ['http://store.example', undefined, false, true],
  ['https://store.example.evil.test', undefined, false, true],
  [own, 'cross-site', false, true],
])('origin %s, site %s', ([origin, site, isOurs, isForeign]) => {
  const read = (name: 'origin' | 'sec-fetch-site') => (name === 'origin' ? origin : site)
  expect(comesFromHere(read, own)).toEqual(isOurs)
  expect(comesFromElsewhere(read, own)).toEqual(isForeign)
})
