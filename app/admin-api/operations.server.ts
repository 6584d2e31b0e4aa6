/** All admin API operations except reading lists. */
import { recordActions } from '#app/office/actions.server.ts'
import { operationsOf } from './action-operations.server.ts'
import type { AdminOperation } from './operation.ts'

export const adminOperations: readonly AdminOperation[] = recordActions.flatMap(operationsOf)
