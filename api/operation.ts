/**
 * An API operation with its name, input, output, and handler. The document, input validation, and the documentation
 * page are generated from these values, so they always agree.
 */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import type { AppScope } from '#domain/customers/accounts/accounts.ts'
import type { ExchangeCall } from '#api/exchange.ts'
import type { OwnCode, CommonCode, Problem } from '#api/problem.ts'
import type { Application } from '#application'

export const areas = {
  Catalog: 'Tires by size, vehicle, brand and type, with prices before installation.',
  Vehicles: 'Years, makes, models, trims and their original sizes.',
  Shops: 'Where tires are installed, and when.',
  Cart: 'Items a shopper intends to buy. The cart’s key is the only proof of ownership.',
  Checkout: 'Fulfillment, contact and billing details, pricing, payment and placing the order.',
  Orders: 'Track and cancel orders of an account or a cart.',
  Reviews: 'Buyers’ reviews of a product line.',
  Account: 'The signed-in account and its saved data.',
  Companies: 'Companies that accounts buy for, with their terms, members, orders, and invoices.',
  Webhooks: 'Order events for companies and partners, sent with Standard Webhooks.',
  Help: 'Questions for customer support.',
} as const
export type Area = keyof typeof areas

/** The scope an app needs for operations in each area. Other areas hold no account data. */
const scopeOfArea: Partial<Record<Area, 'account' | 'orders' | 'company'>> = {
  Account: 'account',
  Cart: 'orders',
  Checkout: 'orders',
  Orders: 'orders',
  Companies: 'company',
  Webhooks: 'company',
}

/** Returns the access token scope for an operation, or null if it doesn't need one. */
export function scopeOf({ area, method }: Pick<Described, 'area' | 'method'>): AppScope | null {
  const part = scopeOfArea[area]
  return part === undefined ? null : `${part}:${method === 'get' ? 'read' : 'write'}`
}

/**
 * Who may call. `anyone`: no identification, and the response is the same for everyone with the same input. `cart`: a
 * caller with a cart key. `account`: a signed-in account. `customer`: a caller with an order, by account, cart, browser
 * or the key from an email.
 */
export type Audience = 'anyone' | 'cart' | 'account' | 'customer'

/** How a POST is kept from taking effect twice; see platform/idempotency.ts. */
export type Once = {
  /** Whether a request without a key is refused. */
  isRequired: boolean
  /** `together`: the change and the key are written in one transaction. `again`: the use case is idempotent. */
  by: 'together' | 'again'
}

export type Answer<Value> = {
  readonly ok: true
  readonly value: Value
  readonly headers?: Readonly<Record<string, string>>
  /** Set-Cookie headers. Not for POST, because its responses are stored. */
  readonly cookies?: readonly string[]
}

export function answer<Value>(value: Value, headers: Readonly<Record<string, string>> = {}): Answer<Value> {
  return { ok: true, value, headers }
}

export type Call<Params, Query, Body> = {
  readonly app: Application
  readonly caller: Caller
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** As sent; the cart operations compare it. */
  readonly ifMatch: string | undefined
  /** The partner's widget the call is made for, from the shared query; it may not exist. */
  readonly widgetId: string | undefined
  /** The calling military exchange. Null for any other caller. */
  readonly exchange: ExchangeCall | null
}

type Described = {
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** "/cart/lines/{itemId}" */
  readonly path: string
  readonly area: Area
  readonly summary: string
  /** Markdown, one or two paragraphs. */
  readonly description?: string
  readonly audience: Audience
  readonly status?: 200 | 201 | 202 | 204
  readonly once?: Once
  /** Whether the operation accepts or requires If-Match. */
  readonly ifMatch?: 'required' | 'optional'
  /** Additional response headers. */
  readonly answerHeaders?: Readonly<Record<string, string>>
  /** How many seconds anyone may cache the response; only for `anyone`. */
  readonly sharedSeconds?: number
  /** Only the account's owner may do this, whatever an app's scopes: an access token is refused. */
  readonly isInPerson?: true
  /**
   * An operation from the specification (section 7). Also served without the /api prefix, and accepts forms as well as
   * JSON.
   */
  readonly isSpecified?: true
}

/** The store paths that serve an operation, with parameters in braces. */
export function addressesOf({ path, isSpecified }: Pick<Described, 'path' | 'isSpecified'>): string[] {
  return isSpecified ? [`/api${path}`, path] : [`/api${path}`]
}

/** An operation with its type parameters erased. */
export type Operation = Described & {
  readonly params: z.ZodObject<z.core.$ZodShape>
  readonly query: z.ZodObject<z.core.$ZodShape>
  readonly body: z.ZodType | null
  readonly result: z.ZodType | null
  readonly refuses: readonly OwnCode[]
  handle(call: Call<unknown, unknown, unknown>): Promise<Answer<unknown> | Problem>
}

type ValueOf<Result extends z.ZodType | null> = Result extends z.ZodType ? z.input<Result> : null

/** Defines an operation; the types of `handle`'s input and response follow from the definition. */
export function operation<
  Params extends z.ZodObject = z.ZodObject<z.core.$ZodShape>,
  Query extends z.ZodObject = z.ZodObject<z.core.$ZodShape>,
  Body extends z.ZodType | null = null,
  Result extends z.ZodType | null = null,
  const Refused extends OwnCode = never,
>(
  described: Described & {
    params?: Params
    query?: Query
    body?: Body
    result?: Result
    refuses?: readonly Refused[]
    handle(
      call: Call<z.output<Params>, z.output<Query>, Body extends z.ZodType ? z.output<Body> : null>,
    ): Promise<Answer<ValueOf<Result>> | Problem<Refused | CommonCode>>
  },
): Operation {
  const {
    params = z.strictObject({}),
    query = z.strictObject({}),
    body = null,
    result = null,
    refuses = [],
    ...rest
  } = described
  return { ...rest, params, query, body, result, refuses }
}
