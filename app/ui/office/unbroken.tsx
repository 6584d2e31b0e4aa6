/** Dates, times, and record numbers that stay on one line. */
import type { ReactNode } from 'react'

/** "Tue, Dec 8, 2026", "10:30 AM MST", and "S-104921" */
const unbroken =
  /((?:[A-Z][a-z]{2}, )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}(?:, \d{4})?\b|\d{1,2}:\d\d [AP]M(?: [A-Z]{2,4}\b)?|\b[A-Z]{1,4}-\d{3,12}\b)/

/** Renders text in which "Tue, Dec 8", "10:30 AM MST", and "S-104921" don't wrap. Other values are rendered as they are. */
export function Unbroken({ children }: { children: ReactNode }) {
  if (typeof children !== 'string') return children
  // With a group in the pattern, every second part is a match.
  return children.split(unbroken).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
