/** The statements for the partner and employee programs. */
import { sql } from 'kysely'
import type { AffiliateAsked, PartnerAsked } from './partner-form.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A partner's people buy at the partner price with its code. An affiliate refers readers, and has no code. */
export type ApplicationKind = 'partner' | 'affiliate'

export type Application = {
  id: number
  kind: ApplicationKind
  business: string
  name: string
  email: string
  phone: string
  people: number
  site: string | null
  channel: string | null
  message: string
  received_at: Temporal.Instant
  state: ApplicationState
}

export type ApplicationState = 'received' | 'approved' | 'refused'

/** Counts a network's applications since an instant. */
export async function countApplications(
  db: Database,
  { networkKey, since }: { networkKey: string; since: Temporal.Instant },
): Promise<number> {
  const { count } = await db
    .selectFrom('partner_application')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('network_key', '=', networkKey)
    .where('received_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Stores an application and returns its id; undefined if one is already waiting. */
export async function insertApplication(
  db: Database,
  application: ((PartnerAsked & { kind: 'partner' }) | (AffiliateAsked & { kind: 'affiliate' })) & {
    network_key: string
    received_at: Temporal.Instant
  },
): Promise<number | undefined> {
  const received = await db
    .insertInto('partner_application')
    .values(application)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return received?.id
}

function applications(db: Database) {
  return db
    .selectFrom('partner_application')
    .select(['id', 'business', 'name', 'email', 'phone', 'people', 'site', 'channel', 'message', 'received_at'])
    .select((eb) => [
      eb.ref('kind').$castTo<ApplicationKind>().as('kind'),
      eb.ref('state').$castTo<ApplicationState>().as('state'),
    ])
}

/** Undecided applications, longest waiting first, at most a hundred. */
export function selectWaitingApplications(db: Database): Promise<Application[]> {
  return applications(db).where('state', '=', 'received').orderBy('received_at').limit(100).execute()
}

/** An application in any state; undefined if it doesn't exist. */
export function selectApplication(db: Database, id: number): Promise<Application | undefined> {
  return applications(db).where('id', '=', id).executeTakeFirst()
}

/** Locks a waiting application until the transaction ends; undefined if it is decided or unknown. */
export function lockApplication(
  tx: Tx,
  id: number,
): Promise<
  { kind: ApplicationKind; business: string; email: string; site: string | null; isWaiting: boolean } | undefined
> {
  return tx
    .selectFrom('partner_application')
    .select(['business', 'email', 'site'])
    .select((eb) => [
      eb.ref('kind').$castTo<ApplicationKind>().as('kind'),
      eb('state', '=', 'received').$castTo<boolean>().as('isWaiting'),
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Records staff's decision on an application, and clears its network. */
export async function updateDecision(
  tx: Tx,
  id: number,
  decision: { state: 'approved' | 'refused'; partnerId: number | null; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('partner_application')
    .set({
      state: decision.state,
      partner_id: decision.partnerId,
      decided_at: decision.at,
      decided_by: decision.by,
      network_key: null,
    })
    .where('id', '=', id)
    .execute()
}

/** Returns an application's business, and its code if it became a partner; undefined if it doesn't exist. */
export function selectAppliedPartner(
  db: Database,
  applicationId: number,
): Promise<{ business: string; code: string | null } | undefined> {
  return db
    .selectFrom('partner_application')
    .leftJoin('partner', 'partner.id', 'partner_application.partner_id')
    .select(['partner_application.business', 'partner.code'])
    .where('partner_application.id', '=', applicationId)
    .executeTakeFirst()
}

/** Makes a business a partner; without a code, an affiliate. */
export function insertPartner(
  tx: Tx,
  partner: { name: string; code: string | null; since: Temporal.Instant },
): Promise<{ id: number }> {
  return tx.insertInto('partner').values(partner).returning('id').executeTakeFirstOrThrow()
}

/** The name of the partner with this code; undefined if it has ended or does not exist. */
export async function selectPartner(db: Database, code: string): Promise<string | undefined> {
  const partner = await db
    .selectFrom('partner')
    .select('name')
    .where('code', '=', code)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return partner?.name
}

/** Locks an account's price tier until the transaction ends. */
export async function lockPricedAccount(
  tx: Tx,
  accountId: string,
): Promise<{ email: string | null; isVerified: boolean } | undefined> {
  const account = await tx
    .selectFrom('account')
    .select(['email', 'email_verified_at'])
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return account && { email: account.email, isVerified: account.email_verified_at !== null }
}

/** Returns the employer for a lowercase domain; undefined if there isn't one. */
export async function selectEmployer(db: Database, domain: string): Promise<string | undefined> {
  return (await db.selectFrom('employer_domain').select('employer').where('domain', '=', domain).executeTakeFirst())
    ?.employer
}

/** Selects employers with employee prices, by domain. */
export function selectEmployers(
  db: Database,
): Promise<{ domain: string; employer: string; since: Temporal.Instant }[]> {
  return db
    .selectFrom('employer_domain')
    .select(['domain', 'employer', 'added_at as since'])
    .orderBy('domain')
    .limit(500)
    .execute()
}

/** Adds a domain of an employer. Throws the violated `employer_domain_pkey` for a duplicate. */
export async function insertEmployer(
  db: Database,
  { domain, employer }: { domain: string; employer: string },
  at: Temporal.Instant,
): Promise<void> {
  await db.insertInto('employer_domain').values({ domain, employer, added_at: at }).execute()
}

/** Removes a domain; returns whether it existed. */
export async function deleteEmployer(db: Database, domain: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('employer_domain').where('domain', '=', domain).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Exports a verified email's applications, as plain data for JSON. Empty for null. */
export async function exportApplications(db: Database, email: string | null): Promise<object[]> {
  const { rows } = await sql<{ applications: object[] }>`
    select coalesce(json_agg(to_jsonb(asked) - array['id', 'partner_id', 'network_key', 'decided_by'] order by asked.id), '[]') as applications
    from partner_application asked where lower(asked.email) = ${email}`.execute(db)
  return rows[0]?.applications ?? []
}
