/** An order's ledger in the back office, with account names, and debits next to credits. */
import { salesTaxName, tireFeeName } from '#domain/pricing/pricing/pricing.ts'
import type { InventoryAccount, LedgerLine } from '#domain/payments/ledger/ledger.server.ts'
import { timeText } from '#domain/ordering/orders/orders.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { formatCents } from '#platform/money.ts'

export type LedgerRow = { account: string; debit: string; credit: string }

const inventoryAccountNames: Record<InventoryAccount, string> = {
  inventory: 'Inventory',
  'cost-of-goods-sold': 'Cost of goods sold',
  'goods-received-not-invoiced': 'Goods received, not invoiced',
  'inventory-adjustments': 'Inventory adjustments',
}

const accountNames: Record<string, string> = {
  ...inventoryAccountNames,
  receivable: 'Receivable',
  cash: 'Cash, card',
  sales: 'Sales',
  refunds: 'Refunds',
  'handling-fees': 'Handling fees',
  'excise-tax': 'Federal excise tax',
  'store-credit': 'Store credit',
  'referral-rewards': 'Referral rewards',
  goodwill: 'Goodwill',
  memberships: 'Memberships',
}

/** Returns an account's name, with the state for taxes and fees. */
export function accountText(account: string, { breakdown }: Pick<OrderView, 'breakdown'>): string {
  if (account === 'sales-tax') return `${salesTaxName(breakdown.tax)}, ${breakdown.tax.stateName}`
  if (account === 'tire-fee') return tireFeeName(breakdown.tax)
  return accountNames[account] ?? account
}

/** A ledger row, where debits are positive and credits negative. */
export function ledgerRow(account: string, cents: number): LedgerRow {
  return { account, debit: cents > 0 ? formatCents(cents) : '', credit: cents < 0 ? formatCents(-cents) : '' }
}

export function transfersOf(
  entries: readonly LedgerLine[],
  order: OrderView,
): { transfer: string; rows: LedgerRow[] }[] {
  return [...Map.groupBy(entries, ({ transferId }) => transferId).values()].map((lines) => {
    const { reason = '', at } = lines[0] ?? {}
    return {
      transfer: `${capital(reason)}, ${at ? timeText(at, order.timeZone) : ''}`,
      rows: lines.map(({ account, cents }) => ledgerRow(accountText(account, order), cents)),
    }
  })
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll('-', ' ')
}
