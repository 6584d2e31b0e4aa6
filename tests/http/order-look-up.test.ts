/** Tests that the order lookup shows one message at a time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const noMatch = 'Please review. Order ID &amp; ZIP Code do not match.'

test.for([
  [{ order: '', zip: '' }, noMatch],
  [{ order: 'S-104001', zip: '' }, 'Please enter valid US Zip Code'],
  [{ order: '', zip: '60614' }, noMatch],
  [{ order: 'x', zip: '60614' }, noMatch],
  [{ order: 'S-1', zip: '60614' }, noMatch],
] as const)('a look-up of %o is answered with one message: %s', async ([form, words]) => {
  const answer = await createVisitor().ask(`${store.origin}/track-your-order`, { form })
  const html = await answer.text()
  expect(answer.status).toBe(422)
  const [, summary = ''] = /class="error-summary"[^>]*>([\s\S]*?)<\/div>/.exec(html) ?? []
  const messages = [noMatch, 'Please enter valid US Zip Code'].filter((message) => summary.includes(message))
  expect(messages).toEqual([words])
})
