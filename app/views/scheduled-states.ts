import { concessionMessages } from '#content/messages/concessions.ts'

/** The states of promotions, coupons, and rebates as their pages tag them. */
export const scheduledStates = {
  draft: { words: 'Draft', tone: 'plain' },
  scheduled: { words: 'Scheduled', tone: 'signal' },
  running: { words: 'Running', tone: 'go' },
  claimable: { words: 'Claims only', tone: 'plain' },
  ended: { words: 'Ended', tone: 'plain' },
} as const

/** The tabs of their lists. */
export const stateTabs = { running: 'Running', scheduled: 'Scheduled', draft: 'Drafts', ended: 'Ended' } as const

/** Confirmation messages by URL value. */
export const scheduledNews = {
  drafted: 'Draft saved. Test it, then schedule it.',
  changed: 'Draft changed. Test it, then schedule it.',
  scheduled: 'Scheduled. It starts automatically.',
  requested: concessionMessages.requested,
  ended: 'Ended. Carts and orders update immediately, pages within a minute.',
  withdrawn: 'Withdrawn. It is a draft again.',
}
