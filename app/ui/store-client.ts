/**
 * How the pages' own script asks the store: through the client of the API, so that everything waits, is tried again and
 * fails in one way.
 */
import { createClient, type ApiCode, type ApiFailure, type ApiResult, type Operations } from '#api/client/client.ts'
import type { SizeAnswer } from '#app/ui/finder-drawing.tsx'
import type { ComparisonAnswer } from '#app/ui/interaction-compare.ts'
import type { Suggestion } from '#app/ui/site-search.tsx'

/**
 * Addresses beside the API that answer JSON: what is drawn for a page, what the page cache sends, and what sets a
 * guest's cookie.
 */
type PageOperations = {
  'GET /search/suggestions': { input: { query: { q: string } }; data: { suggestions: Suggestion[] } }
  'GET /finder/size': { input: { query: { size: string } }; data: SizeAnswer }
  'POST /zip/choice': {
    input: { form: { zip: string } | { latitude: number; longitude: number } }
    data: { zip: string }
  }
  'POST /compare/choice': { input: { form: Record<string, string> }; data: ComparisonAnswer }
}

const shared = {
  timeoutMs: 10_000,
  // The browser has the session. Another tab may have renewed it by now; if not, the second refusal stands.
  refresh: () => Promise.resolve(true),
}

export const api = createClient<Operations>({ baseUrl: '/api', ...shared })
export const pages = createClient<PageOperations>({ baseUrl: '/', ...shared })

/** What a call comes to that must be answered with something: an empty success is as good as one cut off. */
export async function answerOf<Data>(call: Promise<ApiResult<Data>>): Promise<ApiResult<NonNullable<Data>>> {
  const result = await call
  if (!result.ok) return result
  const { data, statusCode } = result
  return data ? { ok: true, data, statusCode } : { ...nothing, statusCode }
}

/** Why a call failed, as a part of a sentence for the shopper. */
export function whyNot({ code, message, statusCode, retryAfterSeconds }: ApiFailure): string {
  if (statusCode === 429)
    return `too much was asked at once, so wait ${retryAfterSeconds === null ? 'a moment' : `${retryAfterSeconds} seconds`}`
  // A browser knows that it is offline, and of everything else only that nobody answered.
  if (code === 'NetworkError') return navigator.onLine ? 'the store cannot be reached' : 'you seem to be offline'
  return words[code] ?? `the store says “${message}”`
}

const nothing: ApiFailure = {
  ok: false,
  code: 'InvalidJson',
  message: '',
  statusCode: null,
  detail: null,
  data: null,
  retryAfterSeconds: null,
}

const words: Partial<Record<ApiCode, string>> = {
  AbortError: 'the store takes too long to answer',
  InvalidJson: 'the answer arrived broken',
  Unauthorized: 'the store asks you to sign in',
  OtherError: 'something went wrong',
}
