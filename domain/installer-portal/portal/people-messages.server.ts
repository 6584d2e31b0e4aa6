/** Content of the invitation email. */
import { portalPaths } from '#content/portal-paths.ts'
import { shopRoleNames } from '#domain/scheduling/installers/installers.ts'
import { findInvitation } from '#domain/scheduling/installers/installers.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'

/** Returns the values of an invitation to a shop. */
export async function peopleMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'store' | 'web'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const invited = await findInvitation(db, id)
  if (!invited) throw new Error(`The person of a promised invitation is not there: ${id}.`)
  return {
    shop: invited.shop,
    inviter: invited.by ?? config.store.name,
    role: `${invited.role === 'owner' ? 'an' : 'a'} ${shopRoleNames[invited.role].toLowerCase()}`,
    portalUrl: `${config.web.origin}${portalPaths.portal()}`,
    phone: config.store.phone,
    supportHours: phoneHoursText(config.store.phoneHours),
    store: config.store.name,
  }
}
