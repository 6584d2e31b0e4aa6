import { expect, test, vi } from 'vitest'
import type { ApiFailure, ApiResult } from '#api/client/client.ts'
import { answerOf, whyNot } from './store-client.ts'

const failure: ApiFailure = {
  ok: false,
  code: 'OtherError',
  message: 'odd',
  statusCode: null,
  detail: null,
  data: null,
  retryAfterSeconds: null,
}

test.each<[Partial<ApiFailure>, string]>([
  [{ code: 'AbortError' }, 'the store takes too long to answer'],
  [{ code: 'InvalidJson', statusCode: 502 }, 'the response was incomplete'],
  [{ code: 'Unauthorized', statusCode: 401, message: 'Sign in first.' }, 'the store asks you to sign in'],
  [
    { code: 'ServerError', statusCode: 429, retryAfterSeconds: 7 },
    'there were too many requests at once, so wait 7 seconds',
  ],
  // A proxy that answers 429 in HTML.
  [{ code: 'InvalidJson', statusCode: 429 }, 'there were too many requests at once, so wait a moment'],
  [{ code: 'ServerError', statusCode: 503, message: 'The store is busy.' }, 'the store says “The store is busy.”'],
  [{ code: 'NotFound', statusCode: 404, message: 'Not found: ZIP' }, 'the store says “Not found: ZIP”'],
  [{ code: 'OtherError' }, 'something went wrong'],
])('%o is said as “%s”', (part, words) => {
  expect(whyNot({ ...failure, ...part })).toBe(words)
})

test.each([
  [true, 'the store cannot be reached'],
  [false, 'you seem to be offline'],
])('nobody answered, and the browser being online is %s: “%s”', (onLine, words) => {
  vi.stubGlobal('navigator', { onLine })
  expect(whyNot({ ...failure, code: 'NetworkError' })).toBe(words)
  vi.unstubAllGlobals()
})

test('a response passes unchanged, and an empty one where data was expected counts as invalid', async () => {
  const whole: ApiResult<string> = { ok: true, data: 'whole', statusCode: 200 }
  expect(await answerOf(Promise.resolve(whole))).toEqual(whole)
  expect(await answerOf(Promise.resolve(failure))).toEqual(failure)
  const empty: ApiResult<string | undefined> = { ok: true, data: undefined, statusCode: 204 }
  expect(await answerOf(Promise.resolve(empty))).toMatchObject({ ok: false, code: 'InvalidJson', statusCode: 204 })
})
