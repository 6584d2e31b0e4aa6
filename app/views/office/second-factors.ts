/** Second factors of staff as text. */
import { secondFactorState } from '#domain/kernel/staff/staff.ts'
import { storeDateText } from '#platform/store-zone.ts'

type SignIns = Parameters<typeof secondFactorState>[0]

const names = { used: 'Used', 'not-used': 'Not used', unknown: 'Unknown' } as const

/** "Used", "Not used" or "Unknown" for the last sign-in; null before the first. */
export function secondFactorName(grant: SignIns): string | null {
  const state = secondFactorState(grant)
  return state && names[state]
}

/** The same with the date of the last second factor if it is earlier, such as "Not used, last used Dec 1, 2026". */
export function secondFactorText(grant: SignIns): string | null {
  const name = secondFactorName(grant)
  const { secondFactorAt } = grant
  if (name === null || secondFactorAt === null) return name
  const day = storeDateText(secondFactorAt)
  return grant.usedSecondFactor ? `${name} ${day}` : `${name}, last used ${day}`
}
