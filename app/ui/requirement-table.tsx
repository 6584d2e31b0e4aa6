import type { RequirementRow } from '#domain/catalog/fitment/fitment.ts'

/** A vehicle's fitment requirement, front and rear; empty if unknown. */
export function RequirementTable({ caption, rows }: { caption: string; rows: readonly RequirementRow[] }) {
  if (rows.length === 0) return null
  return (
    <table className="requirement-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Requirement</span>
          </th>
          <th scope="col">Front</th>
          <th scope="col">Rear</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, front, rear }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className="tabular">{front}</td>
            <td className="tabular">{rear}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
