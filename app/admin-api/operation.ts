/** An operation of the admin API, from which its document, checks and route follow. */
import { z } from 'zod'
import type { Answer } from '#api/operation.ts'
import type { Problem } from '#api/problem.ts'
import type { ListReader } from '#app/office/define-list.server.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Application } from '#application'

type Described = {
  id: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** "/webhooks/{webhookId}" */
  path: string
  permission: Permission
  summary: string
  description?: string
  status?: 200 | 201 | 202 | 204
  /** The types of a file that is the body instead of JSON. */
  file?: readonly string[]
  /** The types of a file that is the response instead of JSON. `handle` returns the whole response. */
  returns?: readonly string[]
}

type Call<Params, Query, Body> = {
  app: Application
  by: Actor
  /** The program as a reader, with the permissions in both its role and its token. */
  reader: ListReader
  params: Params
  query: Query
  body: Body
  /** The body of an operation that takes a file. */
  stream: () => AsyncIterable<Uint8Array>
  signal: AbortSignal
}

/** An operation with its type parameters erased. */
export type AdminOperation = Described & {
  params: z.ZodObject
  query: z.ZodObject
  body: z.ZodType | null
  result: z.ZodType | null
  handle(call: Call<unknown, unknown, unknown>): Promise<Answer<unknown> | Problem>
}

/** Defines an operation. The types of `handle`'s input and response follow from the definition. */
export function operation<
  Params extends z.ZodObject = z.ZodObject<z.core.$ZodShape>,
  Query extends z.ZodObject = z.ZodObject<z.core.$ZodShape>,
  Body extends z.ZodType | null = null,
  Result extends z.ZodType | null = null,
>(
  described: Described & {
    params?: Params
    query?: Query
    body?: Body
    result?: Result
    handle(
      call: Call<z.output<Params>, z.output<Query>, Body extends z.ZodType ? z.output<Body> : null>,
    ): Promise<Answer<Result extends z.ZodType ? z.input<Result> : Response | null> | Problem>
  },
): AdminOperation {
  const { params = z.strictObject({}), query = z.strictObject({}), body = null, result = null, ...rest } = described
  return { ...rest, params, query, body, result }
}
