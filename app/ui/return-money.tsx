import type { ReturnMoneyView } from '#app/views/returns.server.ts'

/** The amounts of a return; the fee is a row even when it is waived. */
export function MoneyTable({ money }: { money: ReturnMoneyView }) {
  return (
    <table className="return-money tabular">
      <caption className="visually-hidden">What you get back</caption>
      <tbody>
        {money.rows.map(({ label, detail, amount, tone }) => (
          <tr key={label} className={tone === 'waived' ? 'return-free' : undefined}>
            <th scope="row">
              {label}
              {detail ? <span className="small muted">{detail}</span> : null}
            </th>
            <td>{amount}</td>
          </tr>
        ))}
        <tr className="return-total">
          <th scope="row">Back to you</th>
          <td>{money.total}</td>
        </tr>
      </tbody>
    </table>
  )
}
