/** Company members, and joining by invitation or by a verified email at one of the company's domains. */
import {
  accountTypeOf,
  companyCan,
  invitationDays,
  isRaised,
  limitOf,
  mailDomain,
  type CompanyKind,
  type CompanyRole,
} from './companies.ts'
import { deleteAbandoned, selectCompanyOfDomain, selectMembership } from './companies.sql.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { endGrant, grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import type { GrantWay } from '#domain/pricing/price-tiers/price-tiers.ts'
import { announceJoin } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { sign, verify } from '#platform/signing.ts'
import {
  countInvitationsSince,
  deleteMember,
  insertInvitation,
  insertMember,
  isMemberMail,
  lockCompany,
  selectInvitations,
  selectJoinedBy,
  selectMembers,
  selectOpenInvitation,
  takeInvitation,
  updateRole,
  withdrawAbandoned,
  withdrawInvitation,
  withdrawInvitations,
  type Invitation,
  type Member,
  type OpenInvitation,
} from './members.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type Secrets = { config: { session: Pick<Config['session'], 'secret'> } }
/** The signed-in person. */
export type Person = { accountId: string; email: string | null; isEmailVerified: boolean }

/** Maximum invitations per company and day, to prevent abuse for spam. */
export const invitationsPerDay = 50

/** Lists the members and open invitations of the company the account owns. */
export async function listMembers(
  { db, clock }: Deps,
  companyId: string,
): Promise<{ members: Member[]; invitations: Invitation[] }> {
  const [members, invitations] = await Promise.all([
    selectMembers(db, companyId),
    selectInvitations(db, companyId, clock.now()),
  ])
  return { members, invitations }
}

type NotAllowed = Refused<'not-allowed'>

/**
 * Invites a person by email, replacing an earlier invitation to the same address. Requires an approved company's owner.
 */
export async function inviteMember(
  { db, clock }: Deps,
  by: string,
  { email, role }: { email: string; role: CompanyRole },
): Promise<Outcome<null, NotAllowed | Refused<'member-already'> | Refused<'too-many'>>> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const membership = await selectMembership(tx, by)
    if (!membership || !companyCan(membership.role, 'manage') || membership.company.state !== 'approved')
      return refused('not-allowed')
    const companyId = membership.company.id
    await lockCompany(tx, companyId)
    if (await isMemberMail(tx, companyId, email)) return refused('member-already')
    if ((await countInvitationsSince(tx, companyId, now.subtract({ hours: 24 }))) >= invitationsPerDay)
      return refused('too-many')
    await withdrawInvitations(tx, { companyId, email, at: now })
    const id = newId()
    await insertInvitation(tx, {
      id,
      companyId,
      email,
      role,
      by,
      at: now,
      expiresAt: now.add({ hours: 24 * invitationDays }),
    })
    await queueMessage(tx, {
      kind: 'company-invitation',
      key: `company-invitation:${id}`,
      to: email,
      orderId: null,
      at: now,
    })
    return ok(null)
  })
}

/** Withdraws an invitation. */
export async function takeBackInvitation(
  { db, clock }: Deps,
  by: string,
  invitationId: string,
): Promise<Outcome<null, NotAllowed | Refused<'gone'>>> {
  const membership = await selectMembership(db, by)
  if (!membership || !companyCan(membership.role, 'manage')) return refused('not-allowed')
  const isDone =
    isId(invitationId) &&
    (await withdrawInvitation(db, { companyId: membership.company.id, id: invitationId, at: clock.now() }))
  return isDone ? ok(null) : refused('gone')
}

const purpose = 'company-invitation'

/**
 * Returns the key in the emailed link. Signed with the store's secret, so that database contents don't give access to a
 * company.
 */
export function invitationKey({ config }: Secrets, id: string): string {
  return sign(config.session.secret, purpose, id)
}

/** Finds the valid invitation of a link; undefined if it was used, withdrawn or expired. */
export async function findInvitation(
  { db, clock, config }: Deps & Secrets,
  key: string,
): Promise<OpenInvitation | undefined> {
  const id = verify(config.session.secret, purpose, key)
  return id !== undefined && isId(id) ? selectOpenInvitation(db, id, clock.now()) : undefined
}

/**
 * Accepts a company invitation, once. It is tied to the invited address, so a forwarded email admits only a person who
 * has verified that address. A repeated call by the same member returns the same result.
 */
export async function acceptInvitation(
  deps: Deps & Secrets,
  person: Person,
  key: string,
): Promise<
  Outcome<{ company: string }, Refused<'gone'> | Refused<'other-address', { email: string }> | Refused<'in-a-company'>>
> {
  const invitation = await findInvitation(deps, key)
  if (!invitation) return joinedBefore(deps, person, key)
  if (!person.isEmailVerified || person.email !== invitation.email)
    return refused('other-address', { email: invitation.email })
  const joined = await join(deps, { ...person, email: invitation.email }, { ...invitation, how: 'invitation' }, (tx) =>
    takeInvitation(tx, invitation.id, deps.clock.now()),
  )
  return joined.ok || joined.reason !== 'gone' ? joined : joinedBefore(deps, person, key)
}

async function joinedBefore(
  { db, config }: Deps & Secrets,
  person: Person,
  key: string,
): Promise<Outcome<{ company: string }, Refused<'gone'>>> {
  const id = verify(config.session.secret, purpose, key)
  const company = id !== undefined && isId(id) ? await selectJoinedBy(db, id, person) : undefined
  return company === undefined ? refused('gone') : ok({ company })
}

/** Returns the company a person's verified email can join; undefined if they already have a company. */
export async function findCompanyOfMail(
  { db }: Pick<Deps, 'db'>,
  { email, isEmailVerified }: Person,
): Promise<{ id: string; name: string; role: CompanyRole } | undefined> {
  return isEmailVerified && email !== null ? selectCompanyOfDomain(db, mailDomain(email)) : undefined
}

/** Joins that company. */
export async function joinByMail(
  deps: Deps,
  person: Person,
): Promise<Outcome<{ company: string }, Refused<'gone'> | Refused<'in-a-company'>>> {
  if (!person.isEmailVerified || person.email === null) return refused('gone')
  const company = await selectCompanyOfDomain(deps.db, mailDomain(person.email))
  if (!company) return refused('gone')
  return join(
    deps,
    { ...person, email: person.email },
    { companyId: company.id, company: company.name, kind: company.kind, role: company.role, how: 'company-domain' },
    async () => true,
  )
}

/** Starts membership and account type in one transaction, recording what allowed them. */
async function join(
  { db, clock }: Deps,
  { accountId, email }: { accountId: string; email: string },
  {
    companyId,
    company,
    kind,
    role,
    how,
  }: { companyId: string; company: string; kind: CompanyKind; role: CompanyRole; how: GrantWay },
  take: (tx: Database) => Promise<boolean>,
): Promise<Outcome<{ company: string }, Refused<'gone'> | Refused<'in-a-company'>>> {
  try {
    return await db.transaction().execute(async (tx) => {
      const state = (await lockCompany(tx, companyId))?.state
      if (state !== 'approved' || !(await take(tx))) return refused('gone')
      await insertMember(tx, { accountId, companyId, role, at: clock.now() })
      await grantType({ db: tx, clock }, { accountId, type: accountTypeOf[kind], how, until: null, by: company })
      await announceJoin(tx, { access: 'company', email, details: [{ company, role, how }], at: clock.now() })
      return ok({ company })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'company_member_pkey') return refused('in-a-company')
    // The last owner left since, so the company can no longer be joined.
    if (violatedConstraint(error) === 'company_has_an_owner') return refused('gone')
    throw error
  }
}

type MemberRefusal = NotAllowed | Refused<'member-not-found'> | Refused<'last-owner'>

/** `own-limit` means that an owner would have a higher spending limit in the other role. */
type RoleRefusal = MemberRefusal | Refused<'own-limit'>

/** Changes a member's role. Owners may, also their own, as long as one owner is left. */
export async function changeRole(
  { db }: Pick<Deps, 'db'>,
  by: string,
  change: { accountId: string; role: CompanyRole },
): Promise<Outcome<null, RoleRefusal>> {
  let isOwnRaised = false
  const changed = await asOwner(db, by, async (tx, companyId) => {
    const own = change.accountId === by ? await selectMembership(tx, by) : undefined
    const limit = (role: CompanyRole) => own && limitOf(own.company.limits, { ...own, role })
    if (own && isRaised(limit(own.role) ?? null, limit(change.role) ?? null)) {
      isOwnRaised = true
      return undefined
    }
    return isId(change.accountId) && (await updateRole(tx, { companyId, ...change })) && undefined
  })
  return isOwnRaised ? refused('own-limit') : changed
}

/** Removes a member, who then buys at retail. */
export async function removeMember(
  { db, clock }: Deps,
  by: string,
  accountId: string,
): Promise<Outcome<null, MemberRefusal>> {
  return asOwner(db, by, async (tx, companyId, kind) => {
    if (!isId(accountId) || !(await deleteMember(tx, { companyId, accountId }))) return false
    await endGrant({ db: tx, clock }, { accountId, type: accountTypeOf[kind] })
    return undefined
  })
}

/**
 * Leaves the company. Its invitations end with the last member; an undecided application without members is deleted.
 */
export async function leaveCompany(
  { db, clock }: Deps,
  accountId: string,
): Promise<Outcome<null, Refused<'member-not-found'> | Refused<'last-owner'>>> {
  try {
    return await db.transaction().execute(async (tx) => {
      const membership = await selectMembership(tx, accountId)
      if (!membership || !(await deleteMember(tx, { companyId: membership.company.id, accountId })))
        return refused('member-not-found')
      await endGrant({ db: tx, clock }, { accountId, type: accountTypeOf[membership.company.kind] })
      await withdrawAbandoned(tx, membership.company.id, clock.now())
      await deleteAbandoned(tx, membership.company.id)
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'company_has_an_owner') return refused('last-owner')
    throw error
  }
}

/** Changes a member, as an owner. `change` returns false if the member doesn't exist. */
async function asOwner(
  db: Database,
  by: string,
  change: (tx: Database, companyId: string, kind: CompanyKind) => Promise<false | undefined>,
): Promise<Outcome<null, MemberRefusal>> {
  try {
    return await db.transaction().execute(async (tx) => {
      const membership = await selectMembership(tx, by)
      if (!membership) return refused('not-allowed')
      const { id, kind } = membership.company
      await lockCompany(tx, id)
      // Reread under the lock, because the caller may no longer be an owner.
      const role = (await selectMembership(tx, by))?.role
      if (role === undefined || !companyCan(role, 'manage')) return refused('not-allowed')
      return (await change(tx, id, kind)) === false ? refused('member-not-found') : ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'company_has_an_owner') return refused('last-owner')
    throw error
  }
}

/** Grants all company members the company's account type, in the transaction of `db`. */
export async function grantToMembers(
  { db, clock }: Deps,
  company: { id: string; name: string; kind: CompanyKind },
): Promise<void> {
  for (const { accountId } of await selectMembers(db, company.id))
    await grantType(
      { db, clock },
      { accountId, type: accountTypeOf[company.kind], how: 'staff', until: null, by: company.name },
    )
}

/** Ends that type for them. */
export async function endForMembers({ db, clock }: Deps, company: { id: string; kind: CompanyKind }): Promise<void> {
  for (const { accountId } of await selectMembers(db, company.id))
    await endGrant({ db, clock }, { accountId, type: accountTypeOf[company.kind] })
}
