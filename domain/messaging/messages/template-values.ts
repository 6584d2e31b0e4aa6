/** The values that every email may use, and those that an edited template has to keep. */
import type { MessageKind, MessageValues } from './messages.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import type { Config } from '#platform/config.ts'

/** What any email may say about the store. */
export function storeValues({ web, store }: Pick<Config, 'web' | 'store'>) {
  return {
    store: store.name,
    phone: store.phone,
    storeEmail: store.email,
    supportHours: phoneHoursText(store.phoneHours),
    storeUrl: web.origin,
  } satisfies MessageValues
}

export const storeValueNames = ['phone', 'store', 'storeEmail', 'storeUrl', 'supportHours'] as const

/** Codes, answers, and choices that the recipient needs to act on the email. */
const alwaysKept: ReadonlySet<string> = new Set([
  'answer',
  'answerLink',
  'claim',
  'code',
  'pickTime',
  'pickup',
  'refusal',
  'reason',
  'times',
  'words',
])

/** Optional links. To act, the recipient needs every other link in a released template. */
const courtesyLinks: ReadonlySet<string> = new Set([
  'affiliatesUrl',
  'dashboardUrl',
  'guaranteeUrl',
  'receiptUrl',
  'rulesUrl',
  'settingsUrl',
  'storeUrl',
])

/**
 * Other required variables by kind. Recalls: 49 CFR 577.5. Renewals: Cal. Bus. & Prof. Code 17602. Order changes,
 * delays, and refunds: 16 CFR 435.2 and 12 CFR 1026.
 */
const keptByKind: Partial<Record<MessageKind, readonly string[]>> = {
  'recall-notice': ['campaign', 'defect', 'maker', 'recalledTires', 'remedy'],
  'membership-begun': ['endsOn', 'paid', 'renewal'],
  'membership-renewing': ['chargeOn', 'nextEndsOn', 'price', 'renewalCard'],
  'membership-renewed': ['endsOn', 'paid', 'refundDays'],
  'order-received': ['cancelUntil', 'orderNumber', 'rows'],
  'order-confirmed': ['cancelUntil', 'orderNumber', 'rows'],
  'order-unconfirmed': ['confirmBy', 'orderNumber'],
  'order-unconfirmed-reminder': ['confirmBy', 'orderNumber'],
  'order-delayed': ['choices', 'delay', 'silence'],
  'order-change-offered': ['difference', 'until'],
  'order-changed': ['settled'],
  'order-canceled': ['payment'],
  'order-lines-canceled': ['amount', 'canceled', 'how'],
  'order-refunded': ['amount', 'how'],
  'return-labels': ['shipBy'],
  'return-refunded': ['how', 'rows'],
  'invoice-due': ['terms'],
  quote: ['goodThrough', 'number', 'total'],
}

/** The names, of those that a kind's released template uses, that its edited template has to use too. */
export function requiredValues(kind: MessageKind, released: readonly string[]): string[] {
  const kept = new Set(keptByKind[kind])
  return released.filter(
    (name) => alwaysKept.has(name) || kept.has(name) || (name.endsWith('Url') && !courtesyLinks.has(name)),
  )
}
