/**
 * What a call comes to: its data, or a failure under one of the specification's codes (section 8). Nothing is thrown.
 */

export type ApiResult<Data> = { ok: true; data: Data; statusCode: number } | ApiFailure

export type ApiFailure = {
  ok: false
  code: ApiCode
  /** For people: the server's own words where it sent some. */
  message: string
  /** Of the answer; null where there was none. */
  statusCode: number | null
  /** What an answer above 300 says of this one case, when it says it. */
  detail: string | null
  /** What belongs to the failure, such as the words by each field. */
  data: unknown
  /** How long the server asks to be left alone; null where it does not say it in seconds. */
  retryAfterSeconds: number | null
}

export type ApiCode =
  | 'AbortError'
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'ServerError'
  | 'InvalidJson'
  | 'NetworkError'
  | 'OtherError'
  | 'UrlBaseNotConfigured'

export const notConfiguredMessage = 'fetch API not configured'

const codes: Record<number, ApiCode> = { 400: 'BadRequest', 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound' }

/** The code of an answer that is no success: four statuses have their own, the rest is the server's error. */
export function codeOfStatus(status: number): ApiCode {
  return codes[status] ?? 'ServerError'
}

/**
 * The failure that an answer tells of. `body` is what it carried, read as JSON, or undefined; `retryAfter` its header
 * of that name.
 */
export function failureOfAnswer(status: number, body: unknown, retryAfter: string | null = null): ApiFailure {
  const detail = status > 300 ? textAt(body, 'detail') : undefined
  // The order in which servers have said it: flat, nested, as a problem, and as this store does.
  const message =
    textAt(body, 'errorMessage') ??
    textAt(valueAt(body, 'error'), 'message') ??
    detail ??
    textAt(body, 'message') ??
    `The server answered ${status}.`
  return {
    ...failureOf(codeOfStatus(status), message, status),
    detail: detail ?? null,
    data: valueAt(body, 'data') ?? null,
    // It may be a date instead, which a clock that goes wrong cannot read.
    retryAfterSeconds: /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : null,
  }
}

/** The failure that came instead of an answer: what `fetch`, or the reading of a body, threw. */
export function failureOfError(error: unknown): ApiFailure {
  return failureOf(codeOfError(error), error instanceof Error ? error.message : String(error))
}

/** A failure of which nothing else is known. */
export function failureOf(code: ApiCode, message: string, statusCode: number | null = null): ApiFailure {
  return { ok: false, code, message, statusCode, detail: null, data: null, retryAfterSeconds: null }
}

function codeOfError(error: unknown): ApiCode {
  if (!(error instanceof Error)) return 'OtherError'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'AbortError'
  if (error.name === 'SyntaxError') return 'InvalidJson'
  // Every fetch says "TypeError" when the wire fails, and some libraries under it have a name of their own.
  return error.name === 'TypeError' || error.name === 'NetworkError' ? 'NetworkError' : 'OtherError'
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function textAt(value: unknown, key: string): string | undefined {
  const text = valueAt(value, key)
  return typeof text === 'string' && text !== '' ? text : undefined
}
