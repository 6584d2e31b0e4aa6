/** The options of a select, by value and words. */
export function Options({ of }: { of: Readonly<Record<string, string>> }) {
  return Object.entries(of).map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ))
}
