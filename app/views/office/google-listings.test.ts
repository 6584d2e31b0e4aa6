import { expect, test } from 'vitest'
import { sendingStatus } from './google-listings.ts'

test('the status says whether products are sent, with the reason if not', () => {
  const summary = {
    listed: 1,
    waiting: 0,
    refused: 0,
    disapproved: 0,
    lastSentAt: null,
    calls: 4,
    limit: 5,
    pause: null,
  }
  expect(sendingStatus(summary)).toEqual({ status: 'On', notice: null })
  expect(sendingStatus({ ...summary, calls: 5 }).status).toBe('Daily limit reached')
  const pause = { resumeAt: Temporal.Instant.from('2026-11-20T15:00:00Z'), problem: 'Too many calls' }
  expect(sendingStatus({ ...summary, pause })).toEqual({
    status: 'Paused until Fri, Nov 20, 10:00 AM EST',
    notice: 'Too many calls',
  })
  expect(sendingStatus({ ...summary, limit: 0 })).toMatchObject({ status: 'Off' })
  expect(sendingStatus(null).notice).toContain('GOOGLE_MERCHANT_KEY')
})
