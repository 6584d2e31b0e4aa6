/** A shop's week by day, with counts, each bay's load, and jobs. Safe in the browser. */
import type { DayJob, DayOwnJob, ShopDay } from './day.ts'

/** Taken and free parts of a bay's opening hours, in percent of the day. */
type Load = { label: string; percent: number; parts: { from: number; to: number; isOwn: boolean }[]; jobs: WeekJob[] }
/** One job in the order of time, online or the shop's own. */
type WeekJob = { key: string; from: number } & ({ online: DayJob } | { own: DayOwnJob })

export type WeekDay = {
  on: string
  weekday: string
  dayOfMonth: number
  title: string
  /** Such as "Closed: Thanksgiving Day"; null if open. */
  closed: string | null
  isToday: boolean
  isShown: boolean
  online: number
  own: number
  /** Jobs that need attention, because tires are missing, they can't be installed, or they overlap. */
  attention: number
  bays: Load[]
}

export type ShopWeek = { title: string; zone: string; days: WeekDay[]; online: number; own: number; attention: number }

/** The Monday of the week of a day. */
export function mondayOf(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.subtract({ days: day.dayOfWeek - 1 })
}

/** Summarizes one day for the week view. */
export function layOutWeekDay({
  columns,
  jobs,
  ownJobs,
  quarters,
}: ShopDay): Pick<WeekDay, 'online' | 'own' | 'attention' | 'bays'> {
  const bays = columns.map(({ label }, column): Load => {
    const online = jobs.filter((job) => job.column === column)
    const own = ownJobs.filter((job) => job.column === column)
    const share = (quarter: number) => Math.round((Math.min(quarter, quarters) / quarters) * 1_000) / 10
    const partOf = (isOwn: boolean) => (job: { from: number; to: number }) => ({
      from: share(job.from),
      to: share(job.to),
      isOwn,
    })
    const taken = new Set([...online, ...own].flatMap(({ from, to }) => quartersOf(from, Math.min(to, quarters))))
    return {
      label,
      percent: Math.round((taken.size / quarters) * 100),
      parts: [...online.map(partOf(false)), ...own.map(partOf(true))],
      jobs: [
        ...online.map((job): WeekJob => ({ key: job.id, from: job.from, online: job })),
        ...own.map((job): WeekJob => ({ key: job.id, from: job.from, own: job })),
      ].toSorted((one, other) => one.from - other.from),
    }
  })
  return {
    online: jobs.length,
    own: ownJobs.length,
    attention:
      jobs.filter(({ state }) => state === 'short' || state === 'stop').length +
      ownJobs.filter(({ overlap }) => overlap !== null).length,
    bays,
  }
}

function quartersOf(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}
