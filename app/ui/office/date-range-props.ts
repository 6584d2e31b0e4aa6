/** A range of days, as the field with a calendar and the two date fields both take it. */
export type DateRangeProps = {
  /** "Placed"; the zone of the days is added. */
  label: string
  from: string
  to: string
}

/** The display name of the time zone for the office's date filters. */
export const zoneWords = 'Eastern time'
