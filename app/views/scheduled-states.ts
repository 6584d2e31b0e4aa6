import { concessionMessages } from '#content/messages/concessions.ts'

/** The states of promotions and coupons as their pages tag them. */
export const scheduledStates = {
  draft: { words: 'Draft', tone: 'plain' },
  scheduled: { words: 'Scheduled', tone: 'signal' },
  running: { words: 'Running', tone: 'go' },
  ended: { words: 'Ended', tone: 'plain' },
} as const

/** The tabs of their lists. */
export const stateTabs = { running: 'Running', scheduled: 'Scheduled', draft: 'Drafts', ended: 'Ended' } as const

const news = {
  drafted: 'Draft saved. Test it, then schedule it.',
  scheduled: 'Scheduled. It starts by itself.',
  requested: concessionMessages.requested,
  ended: 'Ended. Pages show it within a minute; carts and orders at once.',
  withdrawn: 'Withdrawn. It is a draft again.',
} as const

/** What was done, as the address says; null for nothing. */
export function scheduledNews(asked: string | null): string | null {
  return asked !== null && Object.hasOwn(news, asked) ? news[asked as keyof typeof news] : null
}
