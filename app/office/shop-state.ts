/** The state of a shop, as lists and previews show it. */
import type { OfficeShop } from '#domain/scheduling/installers/installers.server.ts'

/** A shop's state with its words and tone; `today` is the day of the store. */
export function shopState({ isActive, isClosing, status, pausedUntil }: OfficeShop, today: Temporal.PlainDate) {
  if (status === 'closed') return { is: 'closed', text: 'Closed', tone: 'plain' } as const
  if (status === 'suspended') return { is: 'suspended', text: 'Suspended', tone: 'stop' } as const
  if (isClosing) return { is: 'closing', text: 'Closing', tone: 'signal' } as const
  if (!isActive) return { is: 'set-up', text: 'Onboarding', tone: 'signal' } as const
  return pausedUntil !== null && pausedUntil > today.toString()
    ? ({ is: 'paused', text: 'Paused', tone: 'signal' } as const)
    : ({ is: 'open', text: 'Active', tone: 'go' } as const)
}
