/** Every kind of record with declared actions, which the admin API offers. */
import type { RecordActions } from './define-actions.server.ts'
import { warehouseActions, warehouseClosingActions } from './actions/warehouses.server.ts'

/** A declaration whose refusal messages are read by reason. */
export type AnyRecordActions = Omit<RecordActions, 'refusals'> & { refusals: Readonly<Record<string, unknown>> }

export const recordActions: readonly AnyRecordActions[] = [warehouseActions, warehouseClosingActions]
