/**
 * Store requests from the pages' own script, through the API client, so that timeouts, retries and errors are
 * consistent.
 */
import { createClient, type ApiCode, type ApiFailure, type ApiResult, type Operations } from '#api/client/client.ts'
import type { SizeAnswer } from '#app/ui/finder-drawing.tsx'
import type { ComparisonAnswer } from '#app/ui/interaction-compare.ts'
import type { Suggestion } from '#app/ui/site-search.tsx'
import { countOf } from '#platform/count-text.ts'

/** Non-API URLs that return JSON. They return rendered page data or cached responses, or set a guest's cookie. */
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
  // The browser holds the session. Another tab may have renewed it by now; if not, the second refusal is final.
  refresh: () => Promise.resolve(true),
}

export const api = createClient<Operations>({ baseUrl: '/api', ...shared })
export const pages = createClient<PageOperations>({ baseUrl: '/', ...shared })

/** Returns the result of a call that must have data. An empty success counts as a truncated one. */
export async function answerOf<Data>(call: Promise<ApiResult<Data>>): Promise<ApiResult<NonNullable<Data>>> {
  const result = await call
  if (!result.ok) return result
  const { data, statusCode } = result
  return data ? { ok: true, data, statusCode } : { ...nothing, statusCode }
}

/** Why a call failed, as part of a sentence for the shopper. */
export function whyNot({ code, message, statusCode, retryAfterSeconds }: ApiFailure): string {
  if (statusCode === 429)
    return `there were too many requests at once, so wait ${retryAfterSeconds === null ? 'a moment' : countOf(retryAfterSeconds, 'second')}`
  // A browser can detect that it is offline; any other failure is just a missing response.
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
  InvalidJson: 'the response was incomplete',
  Unauthorized: 'the store asks you to sign in',
  OtherError: 'something went wrong',
}
