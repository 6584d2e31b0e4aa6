/** Select options in order. A record would sort numeric values first. */
export type FieldOptions = readonly (readonly [value: string, label: string])[]

export function Options({ of }: { of: FieldOptions }) {
  return of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
}
