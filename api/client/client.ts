/**
 * The client of the store's HTTP API, for browsers and servers. Requires only `fetch`. Calls return an `ApiResult` and
 * never throw for server errors, network errors, or aborted requests.
 */
import { addressOf, bodyOf, headersOf, type CallContext, type CallInput } from './request.ts'
import {
  failureOf,
  failureOfAnswer,
  failureOfError,
  notConfiguredMessage,
  type ApiFailure,
  type ApiResult,
} from './result.ts'

export type { Operations } from './operations.ts'
export type { CallContext, CallInput, QueryValue } from './request.ts'
export type { ApiCode, ApiFailure, ApiResult } from './result.ts'

/** The input and data of each operation, by method and path as in "GET /tires/{itemId}". */
export type OperationMap = Record<string, { input: CallInput; data: unknown }>

export type ClientOptions = {
  /**
   * The API's base URL, as in "https://store.example/api", or "/api" on the store's own pages. Without it every call
   * fails with `UrlBaseNotConfigured`.
   */
  baseUrl: string | undefined
  /** Read before each call, so a renewed token is used immediately. */
  context?: () => CallContext
  /**
   * Renews the authorization after a 401; resolves to false if it cannot. Calls that fail together share one refresh.
   */
  refresh?: () => Promise<boolean>
  /** Milliseconds for one attempt, including its body; 15,000 by default. */
  timeoutMs?: number
  /** Called on every failure but 404, which is a valid answer. */
  onFailure?: (failure: ApiFailure, operation: string) => void
  fetch?: typeof fetch
}

export type CallOptions = { signal?: AbortSignal }

export type ApiClient<Operations extends OperationMap> = {
  /** Calls one operation. `input` is checked only by its types; the server validates it. */
  call<Name extends keyof Operations & string>(
    operation: Name,
    ...rest: Partial<Operations[Name]['input']> extends Operations[Name]['input']
      ? [input?: Operations[Name]['input'], options?: CallOptions]
      : [input: Operations[Name]['input'], options?: CallOptions]
  ): Promise<ApiResult<Operations[Name]['data']>>
}

/**
 * Responses with status 204 or 404 may have no body, or one that is not JSON; any other such response is `InvalidJson`.
 * On a 401 the authorization is refreshed and the call repeated once. A POST has an `Idempotency-Key`, the same for
 * both attempts.
 */
export function createClient<Operations extends OperationMap>(options: ClientOptions): ApiClient<Operations> {
  const { baseUrl, context = () => ({}), timeoutMs = 15_000, onFailure } = options
  const send = options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request))
  const refreshOnce = createRefresher(options.refresh)

  async function call(
    operation: string,
    input: CallInput = {},
    { signal }: CallOptions = {},
  ): Promise<ApiResult<unknown>> {
    const result = await callUntold(operation, input, signal)
    if (!result.ok && result.statusCode !== 404) onFailure?.(result, operation)
    return result
  }

  async function callUntold(
    operation: string,
    input: CallInput,
    signal: AbortSignal | undefined,
  ): Promise<ApiResult<unknown>> {
    if (!baseUrl) return failureOf('UrlBaseNotConfigured', notConfiguredMessage)
    const [method = '', path = ''] = operation.split(' ')
    const extra = method === 'POST' ? { 'idempotency-key': newKey() } : {}
    const whole = { ...input, headers: { ...extra, ...input.headers } }
    const round = refreshOnce.round()
    const first = await tryOnce(method, path, whole, signal)
    if (first.ok || first.statusCode !== 401 || !(await refreshOnce.after(round))) return first
    return tryOnce(method, path, whole, signal)
  }

  async function tryOnce(
    method: string,
    path: string,
    input: CallInput,
    signal: AbortSignal | undefined,
  ): Promise<ApiResult<unknown>> {
    const sent = context()
    const address = addressOf(baseUrl ?? '', path, input, sent)
    const inTime = AbortSignal.timeout(timeoutMs)
    try {
      const response = await send(address, {
        method,
        headers: headersOf(input, sent),
        body: bodyOf(input, sent),
        signal: signal ? AbortSignal.any([signal, inTime]) : inTime,
      })
      return await resultOf(response)
    } catch (error) {
      return failureOfError(error)
    }
  }

  return { call }
}

/**
 * Reads the session with GET /users/session. Its failures always have a status: 404 if there was no response
 * (specification, section 8).
 */
export async function readSession<Operations extends OperationMap>(
  client: ApiClient<Operations>,
  regionId?: string,
): Promise<{ ok: true; session: unknown } | { ok: false; code: string; message: string; status: number }> {
  const call: (operation: string, input: CallInput) => Promise<ApiResult<unknown>> = client.call
  const result = await call('GET /users/session', { query: { regionId } })
  if (result.ok) return { ok: true, session: result.data }
  return { ok: false, code: result.code, message: result.message, status: result.statusCode ?? 404 }
}

/** Returns 128 random bits. Pages without TLS have no `crypto.randomUUID`. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')
}

async function resultOf(response: Response): Promise<ApiResult<unknown>> {
  const { status } = response
  const body = parsed(await response.text())
  if (status === 204) return { ok: true, data: undefined, statusCode: status }
  // A response without JSON, regardless of its status, is a proxy's page and not an API response. A 404 needs no body.
  if (!body && status !== 404) return failureOf('InvalidJson', 'The answer is not JSON.', status)
  return response.ok
    ? { ok: true, data: body?.value, statusCode: status }
    : failureOfAnswer(status, body?.value, response.headers.get('retry-after'))
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/**
 * Calls refused at the same time share one refresh. A call sent before the refresh and refused after it doesn't refresh
 * again.
 */
function createRefresher(refresh: (() => Promise<boolean>) | undefined) {
  let rounds = 0
  let running: Promise<boolean> | undefined
  return {
    round: () => rounds,
    async after(round: number): Promise<boolean> {
      if (!refresh) return false
      if (round !== rounds) return true
      running ??= refresh()
        .catch(() => false)
        .then((isFresh) => {
          if (isFresh) rounds += 1
          running = undefined
          return isFresh
        })
      return running
    },
  }
}
