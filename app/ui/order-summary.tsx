import { formatCents } from '#platform/money.ts'

/** A row in the price table, with amount and unit price or reason, in calculation order. */
export type SummaryRow = {
  key: string
  label: string
  detail: string
  amount: string
  kind: 'plain' | 'discount' | 'total'
}

export function OrderSummary({ rows, caption }: { rows: SummaryRow[]; caption: string }) {
  return (
    <table className="sums tabular">
      <caption className="visually-hidden">{caption}</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key} className={row.kind === 'plain' ? undefined : row.kind}>
            <th scope="row">
              {row.label}
              {row.detail ? <small>{row.detail}</small> : null}
            </th>
            <td>{row.amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Formats the rows of an explained price for a page. */
export function summaryRows(
  explain: readonly { key: string; label: string; detail: string; amount: string; kind: SummaryRow['kind'] }[],
): SummaryRow[] {
  return explain.map(({ key, label, detail, amount, kind }) => ({ key, label, detail, amount, kind }))
}

/** What is paid with credit and what is left for the card; empty if no credit is used. */
export function creditRows(creditCents: number, chargedCents: number): SummaryRow[] {
  if (creditCents === 0) return []
  return [
    {
      key: 'store-credit',
      label: 'Store credit',
      detail: 'From your account',
      amount: formatCents(-creditCents),
      kind: 'discount',
    },
    { key: 'charged', label: 'On your card', detail: '', amount: formatCents(chargedCents), kind: 'total' },
  ]
}
