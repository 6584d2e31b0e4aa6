/** Event types, retries, and labels for webhooks of companies, partners, and the store. Browser-safe. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { tickedNames } from '#platform/form-fields.ts'

/** Event types of an order with labels, which companies and partners receive. */
export const webhookTypes = {
  'order.placed': 'An order was placed',
  'order.canceled': 'An order was canceled',
  'shipment.shipped': 'A parcel shipped',
  'shipment.delivered': 'A parcel was delivered',
  'appointment.booked': 'An installation was booked',
  'appointment.moved': 'An installation got another time or length',
  'appointment.canceled': 'An installation was canceled',
  'return.requested': 'A return was requested',
  'return.received': 'All tires in a return arrived',
  'return.refunded': 'A return was refunded',
} as const
export type WebhookType = keyof typeof webhookTypes
export const webhookTypeNames = Object.keys(webhookTypes) as WebhookType[]

/** Event types of the whole store with labels, by subject. */
export const storeTypes = {
  'order.placed': 'An order was placed',
  'order.changed': 'An order’s state, place, address, total or units changed',
  'order.canceled': 'An order was canceled',
  'shipment.shipped': 'A parcel shipped',
  'shipment.delivered': 'A parcel was delivered',
  'appointment.booked': 'An installation was booked',
  'appointment.moved': 'An installation got another time or length',
  'appointment.canceled': 'An installation was canceled',
  'appointment.completed': 'An installation was completed',
  'return.requested': 'A return was requested',
  'return.received': 'All tires in a return arrived',
  'return.refunded': 'A return was refunded',
  'return.refused': 'Tires of a return were refused',
  'return.canceled': 'A return was canceled',
  'refund.issued': 'A refund was issued',
  'stock.changed': 'The units of a tire in a warehouse changed',
  'shop.opened': 'A shop opened, or its pause ended early',
  'shop.changed': 'A shop’s name, address, contact, description or services changed',
  'shop.paused': 'A shop paused its bookings',
  'shop.suspended': 'A shop was suspended',
  'shop.closed': 'A shop was closed',
} as const satisfies Record<WebhookType, string> & Record<string, string>
export type StoreType = keyof typeof storeTypes
export const storeTypeNames = Object.keys(storeTypes) as StoreType[]

/** Sent by its owner's hand, to any endpoint. */
export const testType = 'webhook.test'
export type SentType = StoreType | typeof testType

export type EndpointState = 'active' | 'paused'
export type PauseReason = 'owner' | 'failing' | 'gone'
export const deliveryStates = ['waiting', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The endpoint's owner. */
export type WebhookOwner =
  | { kind: 'company'; companyId: string }
  | { kind: 'partner'; widgetId: string }
  | { kind: 'store' }
/** The owners that shoppers' accounts manage endpoints for. */
export const ownerKinds = ['company', 'partner'] as const
export type OwnerKind = (typeof ownerKinds)[number]

/** The most endpoints of a company or a partner, and of the store. */
export const mostEndpoints = 5
export const mostStoreEndpoints = 20
export const secretOverlapHours = 24

/** Minutes after each failed attempt, for nine attempts in a little over four hours, then a dead letter. */
export const retryMinutes = [1, 5, 10, 20, 30, 60, 60, 60] as const
export const mostAttempts = retryMinutes.length + 1

/** When to try again after this many failed attempts; undefined when it was the last. */
export function nextTryAt(attempts: number, at: Temporal.Instant): Temporal.Instant | undefined {
  const minutes = retryMinutes[attempts - 1]
  return minutes === undefined ? undefined : at.add({ minutes })
}

/** Minutes of continuous failure after which an endpoint is paused. */
export const failingMinutes = 240

export const deliveryStateWords: Readonly<Record<DeliveryState, string>> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  dead: 'Dead letter',
}

export const pauseWords: Readonly<Record<PauseReason, string>> = {
  owner: 'Paused by you',
  failing: 'Paused: it failed for over four hours',
  gone: 'Paused: it answered 410 Gone',
}

/** The state of an endpoint of the store in words. */
export function endpointStateText({
  pausedBecause,
  failingSince,
}: {
  pausedBecause: PauseReason | null
  failingSince: unknown
}): string {
  if (pausedBecause === 'owner') return 'Paused'
  return pausedBecause ? pauseWords[pausedBecause] : failingSince ? 'Failing' : 'Active'
}

const faultWords: Readonly<Record<string, string>> = {
  'bad-address': 'Not an address we can call',
  'not-https': 'Not https',
  'private-address': 'Leads to a private network',
  unresolved: 'The name has no address',
  unreachable: 'No connection',
  timeout: 'No answer in time',
  'broken-answer': 'The answer broke off',
  paused: 'The endpoint was paused',
  removed: 'The endpoint was removed',
  nothing: 'No pending events',
}

/** What came of the last try, in words. */
export function resultWords({ status, fault }: { status: number | null; fault: string | null }): string {
  if (fault !== null) return faultWords[fault] ?? fault
  return status === null ? 'Not tried yet' : `Answered ${status}`
}

const url = z
  .string()
  .trim()
  .min(1, 'Enter the address that is called.')
  .max(500, 'Use an address of up to 500 characters.')

const typed = {
  url,
  /** The names that were ticked, with spaces between them. */
  types: z
    .string()
    .max(1_000)
    .transform((names) => webhookTypeNames.filter((name) => names.split(' ').includes(name)))
    .refine((names) => names.length > 0, 'Choose at least one event.'),
}

/** The forms for a new endpoint and for changing one. */
export const endpointForm = z.object({ owner: z.enum(ownerKinds, 'Choose an account.'), ...typed })
export const endpointChangeForm = z.object(typed)

/** The name of an event type's box in the form of a store endpoint. */
export const boxOf = (type: StoreType) => `on-${type}`

/** The form of a store endpoint, with a box per event type. */
export const storeEndpointForm = z.preprocess(
  (given) => {
    const fields = given as Record<string, string | undefined>
    return { ...fields, types: storeTypeNames.filter((type) => fields[boxOf(type)] === '1') }
  },
  z
    .object({ url, types: tickedNames<StoreType>('on', storeTypeNames) })
    .refine(({ types }) => types.length > 0, { path: [boxOf('order.placed')], message: 'Choose at least one event.' }),
)

/** The form of a button about one delivery. */
export const deliveryForm = z.object({ delivery: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })

/** Refusals, in words for pages and programs. */
export const webhookRefusals = {
  'not-allowed': 'Webhooks are available to owners of approved companies and partners with a widget.',
  'not-known': 'This webhook was removed.',
  'bad-address': 'Enter a full address, such as https://hooks.example.com/tires, without a user name.',
  'not-https': 'Use an address that begins with https://.',
  'private-address': 'This address leads to a private network. Use one that is on the internet.',
  known: 'This address is among your webhooks already.',
  'too-many': `You have ${countOf(mostEndpoints, 'webhook')}, the maximum. Remove one first.`,
  'too-many-tests': 'That is enough tests for an hour. Try again later.',
  paused: 'This webhook is paused. Resume it first.',
  'shown-already': 'The secret was shown once. Make a new one if you lost it.',
  'not-dead': 'Only dead letters can be sent again.',
} as const
