/**
 * The result of a call. It has either the data or a failure with a code from the specification (section 8). Calls never
 * throw.
 */

export type ApiResult<Data> = { ok: true; data: Data; statusCode: number } | ApiFailure

export type ApiFailure = {
  ok: false
  code: ApiCode
  /** The server's message, or a default. */
  message: string
  /** The response's status; null without a response. */
  statusCode: number | null
  /** Details of this case from an error response, if given. */
  detail: string | null
  /** Data about the failure, such as the errors by field. */
  data: unknown
  /** The Retry-After header in seconds. Null if the header is absent or contains a date. */
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

/** Returns the code of an unsuccessful response. Four statuses have their own code; the others are a server error. */
export function codeOfStatus(status: number): ApiCode {
  return codes[status] ?? 'ServerError'
}

/** The failure in a response. `body` is its parsed JSON, or undefined; `retryAfter` is its Retry-After header. */
export function failureOfAnswer(status: number, body: unknown, retryAfter: string | null = null): ApiFailure {
  const detail = status > 300 ? textAt(body, 'detail') : undefined
  // The error formats in this order are flat, nested, RFC 9457 problem, and this store's format.
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
    // It may be a date instead, which an inaccurate clock cannot interpret.
    retryAfterSeconds: /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : null,
  }
}

/** Returns the failure for an error thrown by `fetch` or by reading the body. */
export function failureOfError(error: unknown): ApiFailure {
  return failureOf(codeOfError(error), error instanceof Error ? error.message : String(error))
}

/** Returns a failure without further details. */
export function failureOf(code: ApiCode, message: string, statusCode: number | null = null): ApiFailure {
  return { ok: false, code, message, statusCode, detail: null, data: null, retryAfterSeconds: null }
}

function codeOfError(error: unknown): ApiCode {
  if (!(error instanceof Error)) return 'OtherError'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'AbortError'
  if (error.name === 'SyntaxError') return 'InvalidJson'
  // All fetch implementations throw a "TypeError" on connection failure. Some libraries use another name.
  return error.name === 'TypeError' || error.name === 'NetworkError' ? 'NetworkError' : 'OtherError'
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function textAt(value: unknown, key: string): string | undefined {
  const text = valueAt(value, key)
  return typeof text === 'string' && text !== '' ? text : undefined
}
