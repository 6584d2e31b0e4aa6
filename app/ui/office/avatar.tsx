/** The initials of the first and last part of a name, or of an email. Screen readers skip them, because the name is next to them. */
export function Avatar({ who }: { who: string }) {
  const parts = who.split(/[\s@.]+/).filter(Boolean)
  const letters = [parts[0], who.includes('@') ? undefined : parts.slice(1).at(-1)].map((part) => part?.[0] ?? '')
  return (
    <span className="office-avatar" aria-hidden="true">
      {letters.join('').toUpperCase()}
    </span>
  )
}
