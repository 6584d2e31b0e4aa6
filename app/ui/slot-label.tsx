/** "Tue, Dec 1, 9:30 AM" on a button: it wraps between the date and the time only. */
export function SlotLabel({ label }: { label: string }) {
  const end = label.lastIndexOf(', ') + 1
  return (
    <span className="slot-label">
      {end > 0 ? <span>{label.slice(0, end)}</span> : null} <b>{label.slice(end).trimStart()}</b>
    </span>
  )
}
