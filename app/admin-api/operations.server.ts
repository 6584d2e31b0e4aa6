/** All admin API operations except reading lists. */
import { recordActions } from '#app/office/actions.server.ts'
import { officeFiles } from '#app/office/record-files.server.ts'
import { tableFiles } from '#app/office/table-files.server.ts'
import { operationsOf } from './action-operations.server.ts'
import type { AdminOperation } from './operation.ts'
import { fileOperation, recordOperationsOf } from './record-operations.server.ts'
import { adminResources } from './resources.server.ts'

export const adminOperations: readonly AdminOperation[] = [
  // Before the records, because `/parcels/pick-list.pdf` isn’t a parcel.
  ...[...officeFiles, ...tableFiles].map(fileOperation),
  ...recordActions.flatMap(operationsOf),
  ...adminResources.flatMap(recordOperationsOf),
]
