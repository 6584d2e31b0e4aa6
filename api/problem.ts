/**
 * Every way in which a call can fail, in one table. The code is what programs go by, the title is the same every time,
 * and what is said about one failure comes beside it. A failure is answered as a problem of RFC 9457 that also has the
 * four members of the specification's API error.
 */

/** What can be wrong with any call, before anything is looked up. */
const ofEveryCall = {
  BadRequest: [400, 'The call is not of the form this document describes'],
  Unauthorized: [401, 'The call does not say who makes it'],
  Forbidden: [403, 'Whoever makes this call may not'],
  MethodNotAllowed: [405, 'This address does not take this method'],
  NotAcceptable: [406, 'Answers are JSON, and the caller takes none'],
  BodyTooLarge: [413, 'The body is too large'],
  UnsupportedMediaType: [415, 'The body is of a type that this call does not take'],
  HeadersTooLarge: [431, 'The headers are too large'],
  TooManyCalls: [429, 'Too many calls from one address'],
  ServerError: [500, 'Something went wrong on our side'],
  Unavailable: [503, 'The store cannot answer just now'],
} as const

/** What stands in the way of one call and not of another. */
const ofSomeCalls = {
  NotFound: [404, 'There is nothing at this address'],
  UnknownZip: [404, 'There is no such ZIP'],
  UnknownVehicle: [404, 'Nobody has heard of this vehicle'],
  NoCart: [404, 'There is no open cart for this key'],
  NotSold: [404, 'This article is not sold'],
  LineNotFound: [404, 'The cart has no such line'],
  IdempotencyKeyMissing: [400, 'This call needs an Idempotency-Key'],
  IdempotencyKeyReused: [422, 'This Idempotency-Key was used for another call'],
  IdempotencyInProgress: [409, 'The first call with this Idempotency-Key is still running'],
  NothingThere: [404, 'Nothing is sold there'],
  OutsideArea: [422, 'The van does not come to this ZIP'],
  ShopNotFound: [404, 'There is no such shop'],
  ShopNotCapable: [422, 'The shop does not install tires of this kind'],
  OutOfStock: [409, 'There are not as many of these tires'],
  SlotTaken: [409, 'Somebody else took this time'],
  OutsideHours: [422, 'The shop does not work at this time'],
  TooSoon: [422, 'The tires are not there by this time'],
  TooLate: [422, 'This time is too far ahead'],
  TooManyHolds: [429, 'Too many times are held by one visitor or from one network'],
  NoHold: [404, 'No time is held'],
  TooManyExtensions: [409, 'The time was held as long as it can be'],
  NotDelivered: [422, 'Nothing is delivered there'],
  CartIncomplete: [409, 'A step of the checkout is missing'],
  CartNotForSale: [409, 'The cart cannot be bought as it is'],
  TermsNotAccepted: [422, 'The terms of sale were not accepted'],
  ConditionsNotAccepted: [422, 'What the fit depends on was not accepted'],
  DoesNotFit: [409, 'Tires that do not fit are not installed'],
  PriceChanged: [409, 'The price is another one than the agreed one'],
  SlotLost: [409, 'The time is not held any more'],
  PaymentNotAuthorized: [402, 'The payment was not authorized'],
  PaymentUnavailable: [503, 'The payment provider does not answer'],
  OrderNotFound: [404, 'There is no such order for this caller'],
  NoMatch: [404, 'Order and ZIP do not match'],
  TooManyAttempts: [429, 'Too many attempts'],
  TooLateToCancel: [409, 'The order cannot be canceled any more'],
  NotYours: [404, 'The account has nothing of this id'],
  NoCompany: [404, 'The account is in no approved company'],
  Gone: [410, 'What was offered is not there any more'],
  AlreadyThere: [409, 'It is there already'],
  TooMany: [409, 'There is no room for more'],
  LastOwner: [409, 'A company needs an owner'],
  OtherPrices: [409, 'The account buys on other terms'],
  NoMembership: [404, 'The account has no membership'],
  TooEarly: [409, 'The membership goes on for long'],
  NotGivenBack: [409, 'The year is not given back'],
  CodeNotFound: [422, 'No partner has this code'],
  NoWorkEmail: [409, 'The email is not that of an employer'],
  ReviewExists: [409, 'This email has a review of the line'],
  VoteExists: [409, 'Somebody of this network has voted for the review'],
  PurchaseNotFound: [422, 'No order proves this purchase'],
  PreconditionFailed: [412, 'It changed since the caller read it'],
  PreconditionRequired: [428, 'This call needs If-Match'],
} as const

const table = { ...ofEveryCall, ...ofSomeCalls }

export type CommonCode = keyof typeof ofEveryCall
export type ProblemCode = keyof typeof table
/** What a single operation may answer beside the common ones. */
export type OwnCode = keyof typeof ofSomeCalls

export const problemCodes = Object.keys(table) as ProblemCode[]

/** A failed call. `message` is one sentence or two for whoever reads it; `data` is for the program. */
export type Problem<Code extends ProblemCode = ProblemCode> = {
  readonly ok: false
  readonly code: Code
  readonly message: string
  readonly data: unknown
  readonly headers: Readonly<Record<string, string>>
}

export function problem<Code extends ProblemCode>(
  code: Code,
  message: string = titleOf(code),
  { data = null, headers = {} }: { data?: unknown; headers?: Readonly<Record<string, string>> } = {},
): Problem<Code> {
  return { ok: false, code, message, data, headers }
}

export function statusOf(code: ProblemCode): number {
  return table[code][0]
}

export function titleOf(code: ProblemCode): string {
  return table[code][1]
}

/** The body of a failed call. `instance` is the address of the call with the id under which our log has it. */
export function problemBody(
  { code, message, data }: Problem,
  { origin, path, requestId }: { origin: string; path: string; requestId: string },
) {
  const status = statusOf(code)
  return {
    type: `${origin}/api/docs#${code}`,
    title: titleOf(code),
    status,
    detail: message,
    instance: `${path}#${requestId}`,
    code,
    message,
    statusCode: status,
    data,
    // Where the specification's shared request behavior looks for the message.
    errorMessage: message,
  }
}
