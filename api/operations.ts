/** Every operation of the API, in the order of the document. */
import type { Operation } from '#api/operation.ts'
import { accountOperations } from '#api/routes/account.ts'
import { articleOperations } from '#api/routes/articles.ts'
import { findingOperations } from '#api/routes/finding.ts'
import { listingOperations } from '#api/routes/listings.ts'
import { placeOperations } from '#api/routes/places.ts'
import { vehicleOperations } from '#api/routes/vehicles.ts'

export const operations: readonly Operation[] = [
  ...findingOperations,
  ...listingOperations,
  ...articleOperations,
  ...vehicleOperations,
  ...placeOperations,
  ...accountOperations,
]
