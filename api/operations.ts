/** Every operation of the API, in the order of the document. */
import type { Operation } from '#api/operation.ts'
import { accountOperations } from '#api/routes/account.ts'
import { placeOperations } from '#api/routes/places.ts'

export const operations: readonly Operation[] = [...placeOperations, ...accountOperations]
