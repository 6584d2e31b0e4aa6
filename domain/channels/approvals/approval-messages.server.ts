/** Contents of the mails about approvals, read at the time of sending. */
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { serverPaths } from '#content/server-paths.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { selectRequest } from './approvals.sql.server.ts'

/** Returns the values of a mail about an approval; null if the request was deleted. */
export async function approvalMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<MessageValues | null> {
  const [id = ''] = keyParts(key)
  const request = await selectRequest(db, id)
  if (!request) return null
  return {
    requester: request.requester ?? 'A colleague',
    decider: request.decider ?? 'Your company',
    total: formatCents(request.totalCents),
    reason: request.reason ?? '',
    until: storeDateText(request.expiresAt),
    requestUrl: `${config.web.origin}${serverPaths.companyApproval(request.id)}`,
    phone: config.store.phone,
  }
}
