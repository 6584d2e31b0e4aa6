const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

type Day = Pick<Temporal.PlainDate, 'dayOfWeek' | 'month' | 'day'>

/** "Tue, Nov 24". Hand-made because a listing writes dozens of these and `toLocaleString` takes 40 microseconds for each. */
export function dayText(date: Day): string {
  return `${weekdayText(date)}, ${months[date.month - 1]} ${date.day}`
}

/** "Tue" */
export function weekdayText({ dayOfWeek }: Pick<Day, 'dayOfWeek'>): string {
  return weekdays[dayOfWeek - 1] ?? ''
}
