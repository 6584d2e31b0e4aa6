/** The applicant's own page, opened by a signed link, and the values of the emails that carry it. */
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { portalPaths } from '#content/portal-paths.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { sign, verify } from '#platform/signing.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import { countOf } from '#platform/count-text.ts'
import { selectApplication, selectNote, type ShopApplication } from './shop-applications.sql.server.ts'
import { decidedWithinDays, shopApplicationNumber } from './shop-applications.ts'

const purpose = 'shop-application'

/** Returns the URL of an application's page. It opens only this application. */
export function shopApplicationLink({ session }: Pick<Config, 'session'>, id: number): string {
  return portalPaths.shopApplication(sign(session.secret, purpose, String(id)))
}

/** Reads the application of a link; undefined for a link that is not ours. */
export async function readLinkedApplication(
  { db, config }: { db: Database; config: Pick<Config, 'session'> },
  token: string,
): Promise<ShopApplication | undefined> {
  const id = verify(config.session.secret, purpose, token.slice(0, 100))
  return id !== undefined && /^\d{1,12}$/.test(id) ? selectApplication(db, Number(id)) : undefined
}

/** Returns the values of emails about an application. */
export async function shopApplicationMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'session' | 'store' | 'web'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = '', eventId] = keyParts(key)
  const found = await selectApplication(db, Number(id))
  if (!found) throw new Error(`Application ${id} of a promised email is not there.`)
  const { asked } = found
  return {
    applicationNumber: shopApplicationNumber(found.id),
    firstName: asked.ownerFirstName,
    shop: asked.company,
    address: `${asked.street}, ${asked.city}, ${asked.state} ${asked.zip}`,
    ownerEmail: asked.ownerEmail,
    leadName: `${asked.leadFirstName} ${asked.leadLastName}`,
    leadEmail: asked.leadEmail,
    // A question may be answered before its email is rendered.
    words: { lines: eventId === undefined ? [] : (await selectNote(db, Number(eventId))).split('\n') },
    answerWithin: countOf(decidedWithinDays, 'business day'),
    applicationUrl: `${config.web.origin}${shopApplicationLink(config, found.id)}`,
    portalUrl: `${config.web.origin}${portalPaths.portal()}`,
    phone: config.store.phone,
    supportHours: phoneHoursText(config.store.phoneHours),
    store: config.store.name,
  }
}
