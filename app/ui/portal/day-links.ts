import { portalPaths } from '#content/portal-paths.ts'
import type { ShopDay } from '#domain/installer-portal/portal/portal.ts'

/** Where each part of a day leads, by the id of a job to be moved, `openKey` of one to be opened, or "bay-time" of an empty time. */
export type DayLinks = Record<string, string>

/** The addresses of a day's jobs and empty times. */
export function linksOf(shopCode: string, { jobs, ownJobs, empty }: ShopDay, on: string): DayLinks {
  const pairs: [string, string][] = [
    ...jobs.flatMap(({ id }): [string, string][] => [
      [id, portalPaths.move(shopCode, id)],
      [openKey(id), portalPaths.job(shopCode, id)],
    ]),
    ...ownJobs.map(({ id }): [string, string] => [id, portalPaths.ownJob(shopCode, id)]),
    ...empty.map(({ bayId, at }): [string, string] => [
      `${bayId}-${at}`,
      portalPaths.newOwnJob(shopCode, { on, bay: String(bayId), at }),
    ]),
  ]
  return Object.fromEntries(pairs)
}

/** The key of the work order of an online job. */
export function openKey(jobId: string): string {
  return `open ${jobId}`
}
