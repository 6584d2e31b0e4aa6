/** Price guarantee requests as cases. */
import type { CaseKind } from '#domain/aftercare/cases/cases.server.ts'
import { guaranteeNumber } from './price-guarantee.ts'
import { selectRequest, type GuaranteeRequest } from './price-guarantee.sql.server.ts'

export const guaranteeCases: CaseKind<GuaranteeRequest> = {
  concession: 'price-guarantee',
  permission: 'guarantees.decide',
  name: 'guarantee',
  amount: 'differenceCents',
  refunds: 'guarantee',
  table: {
    name: 'price_guarantee_request',
    amount: 'difference_cents',
    file: 'price_guarantee_file',
    fileOf: 'request_id',
  },
  numberOf: guaranteeNumber,
  select: selectRequest,
}
