import { ROTATION_ADVICE } from '#platform/business-constants.ts'
import { storeZone } from '#platform/store-zone.ts'
import { textsPerOrder, type ConsentState, type TextKind, type TextState } from '#domain/messaging/texts/texts.ts'
import type { Transitions } from '#platform/transitions.ts'

/** The zone of times that staff read. */
export const supportZone = storeZone

/** How often to rotate tires, whichever comes first (specification, section 9). */
export const rotationAdvice = ROTATION_ADVICE

/** How soon messages are answered. */
export const answerWithinText = 'one business day'

/** The subjects on the contact page. */
export const contactSubjects = [
  'An order I placed',
  'Does it fit?',
  'Installation or appointment',
  'A return or refund',
  'Coverage or roadside',
  'Price guarantee',
  'A program or partnership',
  'My data',
  'Something else',
] as const

export type RequestState = 'open' | 'closed'
export const requestLife: Transitions<RequestState> = { open: ['closed'], closed: ['open'] }

/** The longest answer, written here or by email, in characters. */
export const longestAnswer = 10_000

/** Maximum customer messages per thread and hour; more indicate a mail loop. */
export const incomingPerHour = 20

/** Why staff cannot text the customer of an order. `enough`: as many were sent as the customer agreed to. */
export type NoTexts = 'not-asked' | 'not-confirmed' | 'stopped' | 'enough'

/** Whether staff may text an order's customer. Null if they may, or else the reason. */
export function whyNoTexts(
  consent: { state: ConsentState } | undefined,
  { texts, hasTexted }: { texts: readonly { kind: TextKind; state: TextState }[]; hasTexted: boolean },
): NoTexts | null {
  if (!consent) return 'not-asked'
  if (consent.state === 'stopped') return 'stopped'
  if (consent.state !== 'confirmed') return 'not-confirmed'
  const counted = texts.filter(({ kind, state }) => !isAnswer.has(kind) && !isUnsent.has(state))
  return counted.length >= textsPerOrder && !hasTexted ? 'enough' : null
}

const isAnswer: ReadonlySet<TextKind> = new Set(['confirm-request', 'welcome'])
const isUnsent: ReadonlySet<TextState> = new Set(['dropped', 'failed', 'undelivered'])

/** "R-12", as displayed and typed. */
export function requestNumber(id: number): string {
  return `R-${id}`
}
