/** The statements for company members and invitations. */
import { sql } from 'kysely'
import type { CompanyKind, CompanyRole, CompanyState, LimitRule, RoleLimits, Spender } from './companies.ts'
import { hasOwner, spenderColumns, toSpender } from './companies.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

export type Member = {
  accountId: string
  name: string | null
  email: string | null
  joinedAt: Temporal.Instant
} & Spender
export type Invitation = { id: string; email: string; role: CompanyRole; expiresAt: Temporal.Instant }

export async function selectMembers(db: Database, companyId: string): Promise<Member[]> {
  const rows = await db
    .selectFrom('company_member')
    .innerJoin('account', 'account.id', 'company_member.account_id')
    .select(['account.id', 'account.name', 'account.email', 'company_member.joined_at', ...spenderColumns])
    .where('company_id', '=', companyId)
    .orderBy('joined_at')
    .orderBy('account.id')
    .execute()
  return rows.map((row) => ({
    accountId: row.id,
    name: row.name,
    email: row.email,
    ...toSpender(row),
    joinedAt: row.joined_at,
  }))
}

/** Throws on `company_member_pkey` for an account already in a company. */
export async function insertMember(
  db: Database,
  member: { accountId: string; companyId: string; role: CompanyRole; at: Temporal.Instant },
): Promise<void> {
  await db
    .insertInto('company_member')
    .values({ account_id: member.accountId, company_id: member.companyId, role: member.role, joined_at: member.at })
    .execute()
}

/** Throws on `company_has_an_owner` for the last owner. */
export async function updateRole(
  db: Database,
  { companyId, accountId, role }: { companyId: string; accountId: string; role: CompanyRole },
): Promise<boolean> {
  const result = await db
    .updateTable('company_member')
    .set({ role })
    .where('company_id', '=', companyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Returns an approved company's member, locked until the transaction ends. Returns undefined for other accounts. */
export async function lockSpender(
  tx: Tx,
  accountId: string,
): Promise<{ companyId: string; limits: RoleLimits; spender: Spender } | undefined> {
  const { rows } = await sql<{
    companyId: string
    owner: number | null
    buyer: number | null
    role: Spender['role']
    rule: LimitRule['by']
    cents: number | null
    approves: boolean
  }>`
    select company.id as "companyId", company.owner_order_limit_cents as owner, company.buyer_order_limit_cents as buyer,
      member.role, member.order_limit as rule, member.order_limit_cents as cents, member.approves
    from company_member member join company on company.id = member.company_id and company.state = 'approved'
    where member.account_id = ${accountId}::uuid for share of member`.execute(tx)
  const row = rows[0]
  if (!row) return undefined
  const { companyId, owner, buyer, role, rule, cents, approves } = row
  const limit: LimitRule = rule === 'own' ? { by: rule, cents: cents ?? 0 } : { by: rule }
  return { companyId, limits: { owner, buyer }, spender: { role, limit, approves } }
}

/** Sets a member's spending limit, and whether they approve larger orders. */
export async function updateMemberLimit(
  db: Database,
  member: { companyId: string; accountId: string; limit: LimitRule; approves: boolean },
): Promise<void> {
  const { limit, approves } = member
  await db
    .updateTable('company_member')
    .set({ order_limit: limit.by, order_limit_cents: limit.by === 'own' ? limit.cents : null, approves })
    .where('company_id', '=', member.companyId)
    .where('account_id', '=', member.accountId)
    .execute()
}

/** Throws on `company_has_an_owner` for the last owner while there are other members. */
export async function deleteMember(
  db: Database,
  { companyId, accountId }: { companyId: string; accountId: string },
): Promise<boolean> {
  const result = await db
    .deleteFrom('company_member')
    .where('company_id', '=', companyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Locks the company until the transaction ends, so that counts within it stay true. */
export async function lockCompany(
  db: Database,
  companyId: string,
): Promise<{ name: string; kind: CompanyKind; state: CompanyState } | undefined> {
  const row = await db
    .selectFrom('company')
    .select(['name', 'kind', 'state'])
    .where('id', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { name: row.name, kind: row.kind as CompanyKind, state: row.state as CompanyState }
}

export async function isMemberMail(db: Database, companyId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('company_member')
    .innerJoin('account', 'account.id', 'company_member.account_id')
    .select('account.id')
    .where('company_id', '=', companyId)
    .where('account.email', '=', email)
    .where('account.email_verified_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Valid invitations to the company, newest first. */
export async function selectInvitations(db: Database, companyId: string, now: Temporal.Instant): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('company_invitation')
    .select(['id', 'email', 'role', 'expires_at'])
    .where('company_id', '=', companyId)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => ({ id: row.id, email: row.email, role: row.role as CompanyRole, expiresAt: row.expires_at }))
}

/** Withdraws the address's open invitations, so that only the new one is valid. */
export async function withdrawInvitations(
  db: Database,
  { companyId, email, at }: { companyId: string; email: string; at: Temporal.Instant },
): Promise<void> {
  await db
    .updateTable('company_invitation')
    .set({ withdrawn_at: at })
    .where('company_id', '=', companyId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .execute()
}

export async function withdrawInvitation(
  db: Database,
  { companyId, id, at }: { companyId: string; id: string; at: Temporal.Instant },
): Promise<boolean> {
  const result = await db
    .updateTable('company_invitation')
    .set({ withdrawn_at: at })
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Withdraws the open invitations of a company without members. */
export async function withdrawAbandoned(db: Database, companyId: string, at: Temporal.Instant): Promise<void> {
  await db
    .updateTable('company_invitation')
    .set({ withdrawn_at: at })
    .where('company_id', '=', companyId)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('company_member').select('account_id').where('company_id', '=', companyId))),
    )
    .execute()
}

export async function insertInvitation(
  db: Database,
  invitation: {
    id: string
    companyId: string
    email: string
    role: CompanyRole
    by: string
    at: Temporal.Instant
    expiresAt: Temporal.Instant
  },
): Promise<void> {
  await db
    .insertInto('company_invitation')
    .values({
      id: invitation.id,
      company_id: invitation.companyId,
      email: invitation.email,
      role: invitation.role,
      invited_by: invitation.by,
      created_at: invitation.at,
      expires_at: invitation.expiresAt,
    })
    .execute()
}

/** Counts a company's invitations since a time, withdrawn ones included. */
export async function countInvitationsSince(db: Database, companyId: string, since: Temporal.Instant): Promise<number> {
  const { count } = await db
    .selectFrom('company_invitation')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

export type OpenInvitation = Invitation & {
  companyId: string
  company: string
  kind: CompanyKind
  invitedBy: string | null
}

/** The invitation with this id while it is valid. */
export async function selectOpenInvitation(
  db: Database,
  id: string,
  now: Temporal.Instant,
): Promise<OpenInvitation | undefined> {
  const row = await db
    .selectFrom('company_invitation as invitation')
    .innerJoin('company', 'company.id', 'invitation.company_id')
    .leftJoin('account', 'account.id', 'invitation.invited_by')
    .select([
      'invitation.id',
      'invitation.email',
      'invitation.role',
      'invitation.expires_at',
      'company.id as company_id',
      'company.name',
      'company.kind',
      'account.name as by',
    ])
    .where('invitation.id', '=', id)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .where('company.state', '=', 'approved')
    .where(hasOwner)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      email: row.email,
      role: row.role as CompanyRole,
      expiresAt: row.expires_at,
      companyId: row.company_id,
      company: row.name,
      kind: row.kind as CompanyKind,
      invitedBy: row.by,
    }
  )
}

/** The name of the company this account joined by the invitation and is still in; undefined otherwise. */
export async function selectJoinedBy(
  db: Database,
  id: string,
  { accountId, email }: { accountId: string; email: string | null },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('company_invitation as invitation')
    .innerJoin('company', 'company.id', 'invitation.company_id')
    .innerJoin('company_member as member', 'member.company_id', 'company.id')
    .select('company.name')
    .where('invitation.id', '=', id)
    .where('invitation.email', '=', email)
    .where('invitation.accepted_at', 'is not', null)
    .where('member.account_id', '=', accountId)
    .executeTakeFirst()
  return row?.name
}

/** Marks the invitation as used, once. */
export async function takeInvitation(db: Database, id: string, now: Temporal.Instant): Promise<boolean> {
  const result = await db
    .updateTable('company_invitation')
    .set({ accepted_at: now })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Exports the invitations sent to a verified email, as plain data for JSON. Empty for null. */
export async function exportInvitations(db: Database, email: string | null): Promise<object[]> {
  const { rows } = await sql<{ invitations: object[] }>`
    select coalesce(json_agg(json_build_object('company', company.name, 'role', invitation.role, 'at', invitation.created_at, 'acceptedAt', invitation.accepted_at)
      order by invitation.created_at), '[]') as invitations
    from company_invitation invitation join company on company.id = invitation.company_id where invitation.email = ${email}`.execute(
    db,
  )
  return rows[0]?.invitations ?? []
}

/** Deletes the invitations sent to an account's email, if it is verified. */
export async function forgetInvitationsTo(tx: Tx, accountId: string): Promise<void> {
  await sql`
    delete from company_invitation
    where email = (select email from account where id = ${accountId}::uuid and email_verified_at is not null)`.execute(
    tx,
  )
}
