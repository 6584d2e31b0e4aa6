/** Every kind of record with declared actions, which the admin API offers. */
import type { RecordActions } from './define-actions.server.ts'
import { fraudRuleActions } from './actions/fraud-rules.server.ts'
import { employerActions, partnerActions } from './actions/partners.server.ts'
import { shopApplicationActions } from './actions/shop-applications.server.ts'
import { shopActions } from './actions/shops.server.ts'
import { stockActions } from './actions/stock.server.ts'
import { stockOrderActions, stockReceiptActions } from './actions/stock-orders.server.ts'
import { supplierActions } from './actions/suppliers.server.ts'
import { stateTaxActions } from './actions/taxes.server.ts'
import { warehouseActions, warehouseClosingActions } from './actions/warehouses.server.ts'

/** A declaration whose refusal messages are read by reason. */
export type AnyRecordActions = Omit<RecordActions, 'refusals'> & { refusals: Readonly<Record<string, unknown>> }

export const recordActions: readonly AnyRecordActions[] = [
  warehouseActions,
  warehouseClosingActions,
  stateTaxActions,
  supplierActions,
  stockOrderActions,
  stockReceiptActions,
  stockActions,
  shopActions,
  shopApplicationActions,
  partnerActions,
  employerActions,
  fraudRuleActions,
]
