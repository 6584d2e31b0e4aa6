/** Whether products are sent to Google. */
import type { ListingSummary } from '#domain/catalog/google-listings/google-listings.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'

/** `notice` is the reason, where there is one. Null is a store without an account at Google. */
export function sendingStatus(summary: ListingSummary | null): { status: string; notice: string | null } {
  if (!summary)
    return {
      status: 'Off',
      notice:
        'To send products to Google, set GOOGLE_MERCHANT_ACCOUNT, GOOGLE_MERCHANT_DATA_SOURCE, and GOOGLE_MERCHANT_KEY.',
    }
  const { pause, calls, limit } = summary
  if (limit === 0) return { status: 'Off', notice: 'GOOGLE_MERCHANT_DAILY_CALLS is 0.' }
  if (pause) return { status: `Paused until ${timeText(pause.resumeAt, storeZone)}`, notice: pause.problem }
  if (calls >= limit)
    return {
      status: 'Daily limit reached',
      notice: 'Sending continues at midnight UTC. GOOGLE_MERCHANT_DAILY_CALLS sets the limit.',
    }
  return { status: 'On', notice: null }
}
