/** Sets members' spending limits, by owners (who can't raise their own) and by staff. */
import { companyCan, isRaised, limitOf, type LimitRule, type RoleLimits, type Spender } from './companies.ts'
import { selectCompany, selectMembership, updateRoleLimits, type Company } from './companies.sql.server.ts'
import { lockCompany, selectMembers, updateMemberLimit } from './members.sql.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** The actor who sets a limit, either a company owner or staff. */
export type LimitSetter = { accountId: string } | { staff: Actor; companyId: string }
type LimitRefusal =
  | Refused<'not-allowed'>
  | Refused<'company-not-found'>
  | Refused<'member-not-found'>
  | Refused<'own-limit'>

/** Sets the spending limits of a company's owners and buyers. */
export function setRoleLimits(deps: Deps, by: LimitSetter, limits: RoleLimits): Promise<Outcome<null, LimitRefusal>> {
  return deps.db.transaction().execute(async (tx) => {
    const setting = await whoSets(tx, by, deps.clock)
    if (!setting.ok) return setting
    const { company, own } = setting.value
    if (own && isRaised(limitOf(company.limits, own), limitOf(limits, own))) return refused('own-limit')
    await updateRoleLimits(tx, company.id, limits)
    if ('staff' in by)
      await recordAct(tx, {
        by: by.staff,
        act: 'company.limits-set',
        subject: company.name,
        before: recorded(company.limits),
        after: recorded(limits),
        at: deps.clock.now(),
      })
    return ok(null)
  })
}

/** Sets what holds for one member where it differs from the role, and whether a buyer approves orders of others. */
export function setMemberLimit(
  deps: Deps,
  by: LimitSetter,
  { accountId, limit, approves }: { accountId: string; limit: LimitRule; approves: boolean },
): Promise<Outcome<null, LimitRefusal>> {
  return deps.db.transaction().execute(async (tx) => {
    const setting = await whoSets(tx, by, deps.clock)
    if (!setting.ok) return setting
    const { company } = setting.value
    const member = (await selectMembers(tx, company.id)).find((each) => each.accountId === accountId)
    if (!member) return refused('member-not-found')
    const [before, after] = [limitOf(company.limits, member), limitOf(company.limits, { ...member, limit })]
    if ('accountId' in by && by.accountId === accountId && isRaised(before, after)) return refused('own-limit')
    await updateMemberLimit(tx, { companyId: company.id, accountId, limit, approves })
    if ('staff' in by)
      await recordAct(tx, {
        by: by.staff,
        act: 'company.member-limit-set',
        subject: company.name,
        before: { member: member.email, limitCents: before, approves: member.approves },
        after: { member: member.email, limitCents: after, approves },
        at: deps.clock.now(),
      })
    return ok(null)
  })
}

/** Returns the locked company, and the owner who sets the limit; null for staff. */
async function whoSets(
  tx: Tx,
  by: LimitSetter,
  clock: Clock,
): Promise<Outcome<{ company: Company; own: Spender | null }, Refused<'not-allowed'> | Refused<'company-not-found'>>> {
  if ('staff' in by) {
    const permitted = await requirePermission(tx, by.staff, 'companies.terms', clock.now())
    if (!permitted.ok) return permitted
    if (!isId(by.companyId)) return refused('company-not-found')
    await lockCompany(tx, by.companyId)
    const company = await selectCompany(tx, by.companyId)
    return company ? ok({ company, own: null }) : refused('company-not-found')
  }
  const before = await selectMembership(tx, by.accountId)
  if (!before) return refused('not-allowed')
  await lockCompany(tx, before.company.id)
  // Reread under the lock, because the caller may no longer be an owner.
  const own = await selectMembership(tx, by.accountId)
  if (!own || own.company.id !== before.company.id || !companyCan(own.role, 'manage')) return refused('not-allowed')
  return own.company.state === 'approved' ? ok({ company: own.company, own }) : refused('not-allowed')
}

function recorded({ owner, buyer }: RoleLimits) {
  return { ownerLimitCents: owner, buyerLimitCents: buyer }
}
