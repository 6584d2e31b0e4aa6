/** Contents of the mails about approvals, read at the time of sending. */
import type { MessageKind, MessageValues } from '#domain/messaging/messages/messages.ts'
import { serverPaths } from '#content/server-paths.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { selectRequest } from './approvals.sql.server.ts'

const kinds: readonly MessageKind[] = ['approval-requested', 'approval-refused', 'approval-expired']

/** Returns the values of a mail about an approval; undefined for another one. */
export async function approvalMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  { kind, key }: { kind: MessageKind; key: string },
): Promise<MessageValues | undefined> {
  if (!kinds.includes(kind)) return undefined
  const request = await selectRequest(db, key.split(':')[1] ?? '')
  if (!request) return undefined
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
