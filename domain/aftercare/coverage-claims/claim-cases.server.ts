/** Coverage claims as cases. */
import type { CaseKind } from '#domain/aftercare/cases/cases.server.ts'
import { claimNumber } from './coverage-claims.ts'
import { selectClaim, type Claim } from './coverage-claims.sql.server.ts'

export const claimCases: CaseKind<Claim> = {
  concession: 'coverage-claim',
  permission: 'claims.decide',
  name: 'claim',
  amount: 'givenCents',
  refunds: 'coverage',
  table: { name: 'coverage_claim', amount: 'given_cents', file: 'coverage_claim_file', fileOf: 'claim_id' },
  numberOf: claimNumber,
  select: selectClaim,
}
