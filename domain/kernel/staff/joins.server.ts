/** Records and reports that a sign-in received access because its email is verified. It happens once per access. */
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { recordAct } from './audit.server.ts'
import type { Actor, Recorded } from './audit.sql.server.ts'
import type { Config } from '#platform/config.ts'
import type { Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'

/** Access a sign-in can receive, with its audit action, email noun and page. */
const accesses = {
  office: { act: 'staff.bound', noun: 'the back office', path: officePaths.office() },
  portal: { act: 'shop-member.bound', noun: 'the shop portal', path: portalPaths.portal() },
  account: { act: 'account.joined', noun: 'your account', path: paths.account() },
  company: { act: 'company.joined', noun: 'your company’s account', path: paths.company() },
  employee: { act: 'employer.joined', noun: 'employee prices', path: paths.employees() },
  'partner-prices': { act: 'partner-program.joined', noun: 'partner prices', path: paths.partnerProgram() },
  partner: { act: 'partner.joined', noun: 'your partner widget', path: paths.partnerProgram() },
} as const
export type Access = keyof typeof accesses

/**
 * Records in the transaction that the sign-in with this verified email received access, and emails the address.
 * `details` are audited in separate entries; `by` is the actor if a staff session already exists.
 */
export async function announceJoin(
  tx: Tx,
  {
    access,
    email,
    details,
    by = { via: 'sign-in', name: email },
    at,
  }: {
    access: Access
    email: string
    details: readonly Recorded[]
    by?: Actor | { via: 'sign-in'; name: string }
    at: Temporal.Instant
  },
): Promise<void> {
  for (const after of details) await recordAct(tx, { by, act: accesses[access].act, subject: email, after, at })
  const key = `sign-in-joined:${access}:${newTimedId()}:${at.epochMilliseconds}`
  await enqueue(tx, 'email-about-join', { key, to: email })
}

/** Returns the values of the mail about a join. */
export async function joinMessageValues(
  { config }: { config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<Record<string, string>> {
  const [, access = '', , at] = key.split(':')
  if (!Object.hasOwn(accesses, access)) throw new Error(`The access of the mail ${key} is not known.`)
  const { noun, path } = accesses[access as Access]
  return {
    access: noun,
    accessUrl: `${config.web.origin}${path}`,
    time: timeText(Temporal.Instant.fromEpochMilliseconds(Number(at)), storeZone),
    store: config.store.name,
    phone: config.store.phone,
  }
}
