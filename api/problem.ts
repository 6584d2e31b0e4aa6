/**
 * Every API error in one table. Clients rely on the code. The title is constant, and the detail describes the failure.
 * Errors are RFC 9457 problems with the four additional members of the specification's API error.
 */

/** Errors any operation may return, before anything is looked up. */
const ofEveryCall = {
  BadRequest: [400, 'The request does not match this document'],
  Unauthorized: [401, 'The caller is not authenticated'],
  Forbidden: [403, 'The caller is not allowed to do this'],
  MethodNotAllowed: [405, 'This address does not support this method'],
  NotAcceptable: [406, 'Responses are JSON, which the caller does not accept'],
  BodyTooLarge: [413, 'The body is too large'],
  UnsupportedMediaType: [415, 'This operation does not accept a body of this type'],
  AddressTooLong: [414, 'The address is too long'],
  HeadersTooLarge: [431, 'The headers are too large'],
  TooManyCalls: [429, 'Too many requests from one address'],
  ServerError: [500, 'Something went wrong on our side'],
  Unavailable: [503, 'The store is temporarily unavailable'],
} as const

/** Errors of particular operations. */
const ofSomeCalls = {
  NotFound: [404, 'Not found'],
  UnknownZip: [404, 'We don’t know this ZIP code'],
  UnknownStore: [404, 'Branded store not found'],
  UnknownVehicle: [404, 'We don’t know this vehicle'],
  NoCart: [404, 'There is no open cart for this key'],
  NotSold: [404, 'This item is not sold'],
  LineNotFound: [404, 'Cart line not found'],
  IdempotencyKeyMissing: [400, 'This operation requires an Idempotency-Key'],
  IdempotencyKeyReused: [422, 'This Idempotency-Key was used for another request'],
  IdempotencyInProgress: [409, 'The first request with this Idempotency-Key is still running'],
  NothingThere: [404, 'No tires match'],
  OutsideArea: [422, 'The van does not serve this ZIP'],
  ShopNotFound: [404, 'Shop not found'],
  ServiceNotOffered: [422, 'The shop doesn’t offer this service online'],
  ShopNotCapable: [422, 'The shop doesn’t install this type of tire'],
  OutOfStock: [409, 'Not enough of these tires are in stock'],
  SlotTaken: [409, 'This time was just taken'],
  OutsideHours: [422, 'The shop is closed at this time'],
  TooSoon: [422, 'The tires arrive after this time'],
  TooLate: [422, 'This time is too far in the future'],
  TooManyHolds: [429, 'One visitor or network holds too many times'],
  NoHold: [404, 'No time is held'],
  TooManyExtensions: [409, 'The hold cannot be extended any further'],
  AddressUnsure: [409, 'A driver may not find this address'],
  AddressOfShop: [409, 'A shop that installs tires is at this address'],
  NotDelivered: [422, 'We do not deliver there'],
  CartIncomplete: [409, 'A checkout step is incomplete'],
  CartNotForSale: [409, 'The cart cannot be ordered as it is'],
  TermsNotAccepted: [422, 'The terms of sale were not accepted'],
  ConditionsNotAccepted: [422, 'The fitment conditions were not accepted'],
  DoesNotFit: [409, 'These tires do not fit the vehicle'],
  PriceChanged: [409, 'The price differs from the agreed price'],
  OrderChanged: [409, 'The order differs from what the shopper agreed to'],
  SlotLost: [409, 'The time is no longer held'],
  PaymentNotAuthorized: [402, 'The payment was not authorized'],
  ApprovalNeeded: [403, 'The company wants an approval for this order'],
  RefusedOnline: [403, 'The order cannot be taken online'],
  StoreClosed: [403, 'The store is not open yet'],
  PaymentUnavailable: [503, 'The payment provider is not responding'],
  CarrierUnavailable: [503, 'The carrier is not responding'],
  OrderNotFound: [404, 'Order not found, or the caller may not see it'],
  NoMatch: [404, 'Order and ZIP do not match'],
  TooManyAttempts: [429, 'Too many attempts'],
  CodeWrong: [422, 'The code is wrong'],
  CodeExpired: [410, 'The code is no longer valid'],
  CodeUsed: [409, 'The code was already used'],
  ReturnNotFound: [404, 'Return not found for this order'],
  PhotoRefused: [422, 'A photo cannot be used'],
  NotReturnable: [422, 'A rule for returns is not met'],
  TooLateToCancelReturn: [409, 'A tire in this return has already shipped'],
  TooLateToConfirm: [409, 'The order was canceled or returned'],
  TooLateToCancel: [409, 'The order can no longer be canceled'],
  AppointmentChanged: [409, 'The appointment was updated and no longer has this version'],
  AppointmentOver: [409, 'The appointment can’t be changed at this time'],
  NoticeOver: [409, 'The shop’s minimum notice period has started'],
  TimeFree: [409, 'A time like that is free already'],
  ActionRefused: [409, 'The record does not allow this'],
  NotPossible: [409, 'The order no longer allows this'],
  NotYours: [404, 'Not found for this account'],
  NoCompany: [404, 'The account does not belong to an approved company'],
  AddressRefused: [422, 'The address cannot be called'],
  WebhookPaused: [409, 'The webhook is paused'],
  Gone: [410, 'The offer is no longer available'],
  AlreadyThere: [409, 'It already exists'],
  TooMany: [409, 'The limit has been reached'],
  LastOwner: [409, 'A company needs at least one owner'],
  OtherPrices: [409, 'The account has a different price tier'],
  NoMembership: [404, 'The account has no membership'],
  TooEarly: [409, 'It is too early to renew the membership'],
  NotGivenBack: [409, 'The membership cannot be refunded'],
  VerificationUnavailable: [503, 'Military service cannot be verified at the moment'],
  CouponNotFound: [422, 'No current coupon has this code'],
  CouponUsedUp: [409, 'The coupon has no uses left for this shopper'],
  CodeNotFound: [422, 'No partner has this code'],
  NoWorkEmail: [409, 'The email is not an employer’s'],
  ReviewExists: [409, 'There is already a review of this line from this email'],
  VoteExists: [409, 'There is already a vote on this review from this network'],
  PurchaseNotFound: [422, 'No order confirms this purchase'],
  PreconditionFailed: [412, 'The resource changed since it was read'],
  PreconditionRequired: [428, 'This operation requires If-Match'],
} as const

const table = { ...ofEveryCall, ...ofSomeCalls }

export type CommonCode = keyof typeof ofEveryCall
export type ProblemCode = keyof typeof table
/** Errors an operation may return in addition to the common ones. */
export type OwnCode = keyof typeof ofSomeCalls

export const problemCodes = Object.keys(table) as ProblemCode[]

/** An API error. `message` is one or two sentences for people; `data` is for the program. */
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

/** The body of an error response. `instance` is the request's address with the id that identifies it in our log. */
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
    // Where the specification's shared request behavior expects the message.
    errorMessage: message,
  }
}
