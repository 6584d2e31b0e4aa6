/** From a request to a call: who makes it, and everything it brings, checked against what the operation describes. */
import type { HonoRequest } from 'hono'
import { z } from 'zod'
import { check } from '#api/check.ts'
import type { Caller } from '#api/caller.ts'
import type { Call, Operation } from '#api/operation.ts'
import { problem, type CommonCode, type Problem } from '#api/problem.ts'
import { sharedQuery } from '#api/schemas.ts'
import { shopFor } from '#app/http/shop-for.ts'
import type { Shop } from '#shop'

type Read<Value> = { ok: true; value: Value } | Problem<CommonCode | 'PreconditionRequired'>

export async function readCall(operation: Operation, request: HonoRequest<string>, shop: Shop, caller: Caller): Promise<Read<Call<unknown, unknown, unknown>>> {
  const params = check(operation.params, request.param(), 'address')
  if (!params.ok) return params
  const query = check(operation.query, queryOf(operation.query, new URL(request.url).searchParams), 'query')
  if (!query.ok) return query
  const audience = await admit(operation, caller)
  if (audience) return audience
  if (operation.ifMatch === 'required' && request.header('if-match') === undefined)
    return problem('PreconditionRequired', 'Send If-Match with the ETag of the cart as you read it, or * to change it whatever it is.')
  const body = operation.body ? await readBody(operation.body, request) : { ok: true as const, value: null }
  if (!body.ok) return body
  return {
    ok: true,
    value: {
      shop: await shopFor(shop, caller.visitor, caller.signedIn),
      caller,
      params: params.value,
      query: query.value,
      body: body.value,
      ifMatch: request.header('if-match'),
    },
  }
}

async function admit({ audience }: Operation, caller: Caller): Promise<Problem<CommonCode> | undefined> {
  const challenge = { headers: { 'www-authenticate': 'Bearer' } }
  if (audience === 'cart' && caller.cartId === undefined)
    return problem('Unauthorized', 'Make a cart first, and send its key with every call about it.', challenge)
  if (audience === 'account' && !(await caller.signedIn())) return problem('Unauthorized', 'Sign in first.')
  return undefined
}

async function readBody(schema: z.ZodType, request: HonoRequest<string>): Promise<Read<unknown>> {
  // A form of another site can send text, but not JSON under its own name.
  const type = request.header('content-type')
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type ?? ''))
    return problem('UnsupportedMediaType', 'The body must be JSON, and Content-Type must say so.')
  let body: unknown
  try {
    body = JSON.parse(await request.text())
  } catch {
    return problem('BadRequest', 'The body is not JSON.')
  }
  if (isDeeperThan(body, deepestBody)) return problem('BadRequest', 'The body has lists or objects too deep in one another.')
  return check(schema, cleaned(body))
}

/** No operation takes anything near it; what walks through a body after this must not run out of stack. */
const deepestBody = 20

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1))
}

/** Text as it may be stored: no null bytes, no half characters. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').replaceAll('\r\n', '\n').toWellFormed()
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleaned(each)]))
  return value
}

/** What the operation asks for, as text or as lists of it; names it does not know are kept, to be refused, but for those that any call may carry. */
function queryOf(schema: Operation['query'], sent: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  for (const name of new Set(sent.keys())) {
    const field = schema.shape[name]
    if (field === undefined && name in sharedQuery) continue
    const values = sent.getAll(name)
    query[name] = field && isList(field) ? values : values.length === 1 ? (values[0] ?? '') : values
  }
  return query
}

function isList(field: z.core.$ZodType): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodPrefault) return isList(field.def.innerType)
  if (field instanceof z.ZodPipe) return isList(field.def.in)
  return field instanceof z.ZodArray
}
