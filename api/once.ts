/** Idempotency-Key support. A repeated POST returns the original response without running again. */
import type { HonoRequest } from 'hono'
import type { Answer, Call, Operation } from '#api/operation.ts'
import { problem, statusOf, type Problem } from '#api/problem.ts'
import { onceAgain, onceTogether, type KeptAnswer, type KeyedCall } from '#platform/idempotency.ts'

type AnyCall = Call<unknown, unknown, unknown>
type Answered = Answer<unknown> | Problem

/** The request of a call, or its equivalent for MCP. */
type KeyedRequest = Pick<HonoRequest<string>, 'method' | 'path'> & { header(name: string): string | undefined }

/** Runs the operation under the request's key. */
export async function answerOnce(operation: Operation, call: AnyCall, request: KeyedRequest): Promise<Answered> {
  const { once } = operation
  const key = request.header('idempotency-key')
  if (!once) return operation.handle(call)
  if (key === undefined)
    return once.isRequired
      ? problem('IdempotencyKeyMissing', 'Send an Idempotency-Key that you have not used before, such as a UUID.')
      : operation.handle(call)
  if (!/^[!-~]{1,255}$/.test(key))
    return problem('BadRequest', 'An Idempotency-Key has 1 to 255 characters without spaces.', {
      data: { 'Idempotency-Key': 'has the wrong format' },
    })

  const keyed: KeyedCall = {
    scope: [await identityOf(operation, call), request.method, request.path].join('\n'),
    key,
    request: JSON.stringify([call.query, call.body]),
  }
  const { app } = call
  const now = () => app.clock.now()
  const work = async (deps: AnyCall) => keptFrom(await operation.handle(deps), operation.status ?? 200)
  const outcome =
    once.by === 'together'
      ? await onceTogether(app.db, keyed, now, (tx) => work({ ...call, app: { ...app, db: tx } }))
      : await onceAgain(app.db, keyed, now, () => work(call))
  if (outcome.ok) return revived(outcome.value.answer, outcome.value.isReplayed)
  return outcome.reason === 'key-reused'
    ? problem('IdempotencyKeyReused', 'This key was sent with a different body. Use a new key for a new request.')
    : problem('IdempotencyInProgress', 'Wait for the Retry-After period, then send the same request again.', {
        headers: { 'retry-after': String(outcome.detail.seconds) },
      })
}

/**
 * Two callers can choose the same key. Anonymous callers are identified only by IP address and should use an
 * unguessable key.
 */
async function identityOf({ audience }: Operation, { caller }: AnyCall): Promise<string> {
  if (audience === 'cart') return `cart ${caller.cartId}`
  const account = audience === 'anyone' ? undefined : await caller.signedIn()
  return account ? `account ${account.accountId}` : `address ${caller.visitor.networkKey} ${caller.cartId ?? ''}`
}

/** Server errors aren't stored because the same request can succeed later. */
function keptFrom(answered: Answered, status: number): { answer: KeptAnswer; isKept: boolean } {
  if (answered.ok)
    return { answer: { status, headers: { ...answered.headers }, body: JSON.stringify(answered.value) }, isKept: true }
  const { code, message, data, headers } = answered
  return {
    answer: { status: statusOf(code), headers, body: JSON.stringify({ code, message, data }) },
    isKept: statusOf(code) < 500,
  }
}

function revived({ status, headers, body }: KeptAnswer, isReplayed: boolean): Answered {
  const said = isReplayed ? { ...headers, 'idempotent-replayed': 'true' } : headers
  const value: unknown = JSON.parse(body ?? 'null')
  return status < 300
    ? { ok: true, value, headers: said }
    : { ok: false, ...(value as Pick<Problem, 'code' | 'message' | 'data'>), headers: said }
}
