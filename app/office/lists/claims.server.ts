/** The list of coverage claims, newest first. */
import { claimRecord } from '#app/office/records/requests.server.ts'
import { defineList, idPlace, money, placeOfId, stateOf, statesView, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { caseStates } from '#domain/aftercare/cases/cases.ts'
import { causeLabels, claimNumber } from '#domain/aftercare/coverage-claims/coverage-claims.ts'
import { listClaims } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'

export const claims = defineList({
  name: 'claims',
  title: 'Coverage claims',
  path: officePaths.officeClaims(),
  permission: 'claims.read',
  caption: 'Coverage claims, newest first',
  nouns: ['claim', 'claims'],
  view: statesView(caseStates, { open: 'To decide', approved: 'Approved', refused: 'Refused' }),
  columns: [
    { key: 'number', label: 'Claim', isFixed: true },
    { key: 'received', label: 'Received', kind: 'time' },
    { key: 'order', label: 'Order' },
    { key: 'tire', label: 'Tire' },
    { key: 'tires', label: 'Quantity', kind: 'count' },
    { key: 'cause', label: 'Cause' },
    { key: 'amount', label: 'Maximum or approved amount', kind: 'money' },
  ],
  record: claimRecord,
  read: async ({ app }, query) => {
    const { claims: found, next } = await listClaims(app, {
      state: stateOf(caseStates, query),
      before: idPlace(query.after ?? query.before),
    })
    return {
      rows: found.map((claim) => ({
        id: claimNumber(claim.id),
        label: claimNumber(claim.id),
        path: officePaths.officeClaim(claimNumber(claim.id)),
        cells: {
          number: claimNumber(claim.id),
          received: time(claim.createdAt),
          order: orderNumber(claim.orderId),
          tire: claim.tire,
          tires: claim.tires,
          cause: causeLabels[claim.cause],
          amount: money(claim.givenCents ?? claim.mostCents),
        },
      })),
      next: placeOfId(next),
    }
  },
})
