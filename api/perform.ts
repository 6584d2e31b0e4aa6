/**
 * Performs an operation for a caller within this process, for the door of agents: the same checks, refusals, words and
 * result as over HTTP, because it is the same operation.
 */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import { check } from '#api/check.ts'
import { operations } from '#api/operations.ts'
import { answerOnce } from '#api/once.ts'
import type { Problem } from '#api/problem.ts'
import { admitCaller, applicationOf } from '#api/read-call.ts'
import type { Application } from '#application'

const byId = new Map(operations.map((operation) => [operation.id, operation]))

type Sent = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** As an Idempotency-Key over HTTP: the same call with the same key is done once. */
  readonly onceKey?: string | undefined
}
export type Performed<Value> = { readonly ok: true; readonly value: Value } | Problem

/** `result` is the operation's schema and sets the result type. */
export async function perform<Result extends z.ZodType>(
  id: string,
  result: Result,
  { params = {}, query = {}, body = null, onceKey }: Sent,
  { app, caller }: { readonly app: Application; readonly caller: Caller },
): Promise<Performed<z.output<Result>>> {
  const operation = byId.get(id)
  if (!operation) throw new Error(`There is no operation ${id}.`)
  const refusal = await admitCaller(operation, app, caller)
  if (refusal) return refusal
  const inPath = check(operation.params, params, 'address')
  if (!inPath.ok) return inPath
  const asked = check(operation.query, query, 'query')
  if (!asked.ok) return asked
  const sent = check(operation.body ?? z.null(), body)
  if (!sent.ok) return sent
  const call = {
    app: await applicationOf(app, caller),
    caller,
    params: inPath.value,
    query: asked.value,
    body: sent.value,
    ifMatch: undefined,
    widgetId: undefined,
    exchange: null,
  }
  const answered =
    onceKey === undefined
      ? await operation.handle(call)
      : await answerOnce(operation, call, {
          method: operation.method.toUpperCase(),
          // A separate path because an idempotency key applies to one protocol only.
          path: `mcp ${operation.path}`,
          header: (name) => (name === 'idempotency-key' ? onceKey : undefined),
        })
  return answered.ok ? { ok: true, value: result.parse(answered.value) } : answered
}
