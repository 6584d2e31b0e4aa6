/**
 * One operation of the API: what it is called, what it takes and gives, and what it does. The document, the checks of a
 * call and the page for people are all made from these values, so that they cannot disagree.
 */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import type { AppScope } from '#domain/accounts/accounts.ts'
import type { OwnCode, CommonCode, Problem } from '#api/problem.ts'
import type { Shop } from '#shop'

export const areas = {
  Catalog: 'Tires by size, vehicle, brand and kind, with prices before installation.',
  Vehicles: 'Years, makes, models, trims and their original sizes.',
  Shops: 'Where tires are installed, and when.',
  Cart: 'What somebody is about to buy. The key of the cart is its only proof of ownership.',
  Checkout: 'How the tires reach the shopper, who receives them, what it costs, and the order.',
  Orders: 'Orders of an account or of a cart, tracking, and canceling.',
  Reviews: 'What buyers say of a line.',
  Account: 'Who is signed in, and what the store remembers of them.',
  Companies: 'Whom an account buys for: its terms, members, orders and invoices.',
  Help: 'Questions to the people behind the store.',
} as const
export type Area = keyof typeof areas

/**
 * Of what an app must be allowed to see or change a part, before it may call an operation of that area. Other areas are
 * nobody's own.
 */
const scopeOfArea: Partial<Record<Area, 'account' | 'orders' | 'company'>> = {
  Account: 'account',
  Cart: 'orders',
  Checkout: 'orders',
  Orders: 'orders',
  Companies: 'company',
}

/** The scope that an access token must have for an operation; null where it needs none. */
export function scopeOf({ area, method }: Pick<Described, 'area' | 'method'>): AppScope | null {
  const part = scopeOfArea[area]
  return part === undefined ? null : `${part}:${method === 'get' ? 'read' : 'write'}`
}

/**
 * Who may call. `anyone`: nothing is looked at, and the answer is the same for all of a kind. `cart`: who has the key
 * of a cart. `account`: who is signed in. `customer`: who has an order, by account, cart, browser or the key of a mail.
 */
export type Audience = 'anyone' | 'cart' | 'account' | 'customer'

/** How a POST is kept from happening twice; see platform/idempotency.ts. */
export type Once = {
  /** Without a key the call is refused. */
  isRequired: boolean
  /**
   * `together`: what the call does and the key are written in one transaction. `again`: the use case may be run again
   * and does nothing twice.
   */
  by: 'together' | 'again'
}

export type Answer<Value> = {
  readonly ok: true
  readonly value: Value
  readonly headers?: Readonly<Record<string, string>>
  /** Set-Cookie headers; only of what is no POST, whose answers are kept. */
  readonly cookies?: readonly string[]
}

export function answer<Value>(value: Value, headers: Readonly<Record<string, string>> = {}): Answer<Value> {
  return { ok: true, value, headers }
}

export type Call<Params, Query, Body> = {
  readonly shop: Shop
  readonly caller: Caller
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** As sent; the cart's operations compare it. */
  readonly ifMatch: string | undefined
}

type Described = {
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** "/cart/lines/{itemId}" */
  readonly path: string
  readonly area: Area
  readonly summary: string
  /** Markdown, one paragraph or two. */
  readonly description?: string
  readonly audience: Audience
  readonly status?: 200 | 201 | 202 | 204
  readonly once?: Once
  /** The operation takes If-Match: the answer says whether it must. */
  readonly ifMatch?: 'required' | 'optional'
  /** Headers of the answer beside those of every answer. */
  readonly answerHeaders?: Readonly<Record<string, string>>
  /** How long everybody may keep the answer, in seconds; only for `anyone`. */
  readonly sharedSeconds?: number
  /** Nobody else does this for the owner of an account, whatever they allowed: an access token is refused. */
  readonly isInPerson?: true
  /**
   * One of the specification's own calls (section 7): it also answers at its address without /api, and takes a form as
   * well as JSON.
   */
  readonly isSpecified?: true
}

/** Where an operation answers: paths of the store, with its parameters in braces. */
export function addressesOf({ path, isSpecified }: Pick<Described, 'path' | 'isSpecified'>): string[] {
  return isSpecified ? [`/api${path}`, path] : [`/api${path}`]
}

/** An operation as the frame sees it: types of its parts are settled inside. */
export type Operation = Described & {
  readonly params: z.ZodObject<z.core.$ZodShape>
  readonly query: z.ZodObject<z.core.$ZodShape>
  readonly body: z.ZodType | null
  readonly result: z.ZodType | null
  readonly refuses: readonly OwnCode[]
  handle(call: Call<unknown, unknown, unknown>): Promise<Answer<unknown> | Problem>
}

type ValueOf<Result extends z.ZodType | null> = Result extends z.ZodType ? z.input<Result> : null

/** Describes an operation; what `handle` is given and may answer follows from the description. */
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
