/** A shop's day page, with each job's progress, and the next job. */
import { pictureOfItem } from '#app/views/tire-picture.server.ts'
import type { JobEarnings } from '#domain/installer-portal/payouts/payouts.server.ts'
import type { DayJob, ShopDay } from '#domain/installer-portal/portal/portal.ts'
import type { Job, JobProgress } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { workOrderStateWords } from '#domain/installer-portal/work-orders/work-orders.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'
import { jobView } from './portal-job.server.ts'
import { payView } from './portal-pay.server.ts'

/** A job's progress, with its state once started, and "2 of 4 counted" from its work order. */
export type DayProgress = { state: string | null; counted: string }

/** Returns a day's unfinished jobs. */
export function openJobs({ jobs }: Pick<ShopDay, 'jobs'>): DayJob[] {
  return jobs.filter(({ state }) => state === 'booked' || state === 'short')
}

/** Returns each unfinished job's progress by id. */
export function dayProgress(
  jobs: readonly DayJob[],
  progress: ReadonlyMap<string, JobProgress>,
): Record<string, DayProgress> {
  return Object.fromEntries(
    jobs.map(({ id, lines, total }) => {
      const job = progress.get(id)
      const counted = lines.reduce((sum, lineNo) => sum + (job?.counted.get(lineNo) ?? 0), 0)
      const state = job && job.state !== 'open' ? workOrderStateWords[job.state] : null
      return [id, { state, counted: total === 0 ? '' : `${counted} of ${total} counted` }]
    }),
  )
}

/** Returns the job to show first. Prefers one with its car checked in, then the earliest unfinished one. */
export function nextJobOf(jobs: readonly DayJob[], progress: ReadonlyMap<string, JobProgress>): DayJob | undefined {
  const begun = jobs.find(({ id }) => (progress.get(id)?.state ?? 'open') !== 'open')
  return begun ?? jobs[0]
}

/** What the card of the next job shows. */
export type NextJobView = Awaited<ReturnType<typeof nextJobView>>

/** Lays out the card of the next job. `earnings` is for readers who see the shop's pay. */
export async function nextJobView(
  { catalog, clock }: Pick<Application, 'catalog' | 'clock'>,
  { job, shopCode, earnings }: { job: Job; shopCode: string; earnings: JobEarnings | undefined },
) {
  const view = jobView(job, { shopCode, now: clock.now() })
  return {
    title: view.title,
    path: view.path,
    state: view.state,
    stateWords: view.stateWords,
    facts: [view.order, view.vehicle, view.vinEnd === null ? null : `VIN …${view.vinEnd}`].filter(
      (fact) => fact !== null,
    ),
    money: view.money,
    tires: await Promise.all(
      job.pieces.map(async ({ itemId, quantity, received, description }) => ({
        text: `${quantity} × ${description}`,
        counted: `${received} of ${quantity} counted`,
        picture: await pictureOfItem(catalog, itemId),
      })),
    ),
    service: view.service,
    requirements: view.requirements,
    next: view.next,
    phone: view.phone,
    pay: earnings ? payView(earnings, job.booking.timeZone) : null,
  }
}

/** Returns a day's total earnings, such as "$1,276.00"; null if no job has a rate. */
export function dayEarnings(earnings: ReadonlyMap<string, JobEarnings>, jobs: readonly DayJob[]): string | null {
  const cents = jobs
    .filter(({ state }) => state !== 'stop')
    .flatMap(({ id }) => earnings.get(id)?.amountCents ?? [])
    .reduce((sum, each) => sum + each, 0)
  return cents === 0 ? null : formatCents(cents)
}
