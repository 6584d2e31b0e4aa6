/** Second factors of staff, as the sign-in provider reports them. */
import type { StaffGrant } from './grants.sql.server.ts'

type SignIns = Pick<StaffGrant, 'boundAt' | 'usedSecondFactor' | 'secondFactorAt'>

/** The state of a role assignment's last sign-in. Null before the first. */
export function secondFactorState({ boundAt, usedSecondFactor }: SignIns): 'used' | 'not-used' | 'unknown' | null {
  if (boundAt === null) return null
  return usedSecondFactor === null ? 'unknown' : usedSecondFactor ? 'used' : 'not-used'
}

/**
 * Returns the staff with a current role, grouped by their last sign-in. Each list has each email once with its roles,
 * owners first, then by email. `without` had no second factor, and `unknown` has people without a usable report.
 */
export function groupBySecondFactor(
  grants: readonly StaffGrant[],
  now: Temporal.Instant,
): Record<'without' | 'unknown', { email: string; roles: string[] }[]> {
  const current = grants.filter(
    ({ revokedAt, expiresAt }) =>
      revokedAt === null && (expiresAt === null || Temporal.Instant.compare(expiresAt, now) > 0),
  )
  const inState = (state: 'not-used' | 'unknown') => {
    const byEmail = Map.groupBy(
      current.filter((grant) => secondFactorState(grant) === state),
      ({ email }) => email,
    )
    return [...byEmail]
      .map(([email, own]) => ({
        email,
        roles: own.map(({ roleName }) => roleName),
        isOwner: own.some(({ role }) => role === 'owner'),
      }))
      .toSorted((a, b) => Number(b.isOwner) - Number(a.isOwner) || (a.email < b.email ? -1 : 1))
      .map(({ email, roles }) => ({ email, roles }))
  }
  return { without: inState('not-used'), unknown: inState('unknown') }
}
