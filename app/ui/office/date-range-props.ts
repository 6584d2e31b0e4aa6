/** A range of days, as the field with a calendar and the two date fields both take it. */
export type DateRangeProps = {
  /** "Placed"; the zone of the days is added. */
  label: string
  from: string
  to: string
}

/** The zone whose days the office's filters ask for, as it is called. */
export const zoneWords = 'Eastern time'
