import { Icon } from '#app/ui/icon.tsx'

/** Links to the day or week before and after the one that is shown, and to the current one. */
export function PeriodNav({
  unit,
  before,
  now,
  after,
}: {
  unit: 'Day' | 'Week'
  before: string
  now: { path: string; label: string; isShown: boolean }
  after: string
}) {
  return (
    <nav aria-label={`${unit}s`}>
      <a className="btn" href={before} aria-label={`${unit} before`}>
        <Icon name="left" />
      </a>
      <a className="btn" href={now.path} aria-current={now.isShown ? 'date' : undefined}>
        {now.label}
      </a>
      <a className="btn" href={after} aria-label={`${unit} after`}>
        <Icon name="right" />
      </a>
    </nav>
  )
}
