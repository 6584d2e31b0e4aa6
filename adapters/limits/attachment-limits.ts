import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { attachmentAttempts, type AttachmentLimits } from '#domain/messaging/support/attachment-limits.port.ts'

export function createAttachmentLimits({ db, networkFactor }: LimitSettings): AttachmentLimits {
  const limiter = createSharedLimiter(db, {
    of: 'attachment',
    most: attachmentAttempts.count * networkFactor,
    minutes: attachmentAttempts.minutes,
  })
  return { take: (from) => limiter.take(from) }
}
