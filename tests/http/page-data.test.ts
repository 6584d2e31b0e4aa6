/** Tests that the small router of pages reads the data of real pages as React Router does. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UNSAFE_decodeViaTurboStream as decode } from 'react-router'
import { readPageData } from '#app/router/page-data.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const paths = [
  '/_.data',
  '/find.data?year=2020',
  '/tire-sizes/225-65r17.data?sort=price&page=2',
  '/vehicles/honda/cr-v/2019.data?trim=ex',
  '/brands/kestrel/alltide-as2/p/100001.data',
  '/compare.data?items=100001,100002',
  '/tire-shops.data?zip=60614',
]

test.for(paths)('%s has the same data as in React Router', async (path) => {
  const response = await fetch(`${store.origin}${path}`)
  expect(response.status).toBe(200)
  const text = await response.text()
  const { body } = new Response(text)
  const { value } = await decode(body ?? expect.fail('no body'), globalThis)
  expect(Object.keys(value as object).length).toBeGreaterThan(1)
  expect(readPageData(text)).toStrictEqual(value)
})

test('a redirect and a failed loader are no page data', async () => {
  for (const path of ['/tire-sizes/2256517.data?rear=2256517', '/brands/kestrel/no-such-line.data']) {
    const text = await (await fetch(`${store.origin}${path}`)).text()
    expect(() => readPageData(text), path).toThrow(SyntaxError)
  }
})
