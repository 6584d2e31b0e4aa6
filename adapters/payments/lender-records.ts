import type { Financing } from '#domain/payments/payments/financing.port.ts'
import type { MovementRecords } from '#domain/payments/payments/provider-records.port.ts'

/** A lender's movements, mapped to the store's types. Customers dispute a contract with the lender. */
export function createLenderRecords({ listMovements }: Pick<Financing, 'listMovements'>): MovementRecords {
  return {
    async listMovements(asked) {
      const listed = await listMovements(asked)
      if (!listed.ok) return listed
      const { movements, next } = listed.value
      return {
        ok: true,
        value: {
          movements: movements.map(({ applicationRef, ...moved }) => ({
            ...moved,
            chargeRef: applicationRef === null ? null : `lender:${applicationRef}`,
            disputeRef: null,
          })),
          next,
        },
      }
    },
  }
}
