/** Defaults, results, and refusal messages shared by creating and editing a shop's own jobs. */
import type { RouterContextProvider } from 'react-router'
import { checkForm, formRefusal, refuseForm, type FormReply } from '#app/forms/form.ts'
import type { AtShop } from '#app/server/portal.server.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { listBays, type OwnJob } from '#domain/scheduling/booking/booking.server.ts'
import { readAlignmentMinutes } from '#domain/scheduling/installers/installers.server.ts'
import { enterOwnJob, readShopDay, type OwnJobFault } from '#domain/installer-portal/portal/portal.server.ts'
import { ownJobForm } from '#domain/installer-portal/portal/portal.ts'
import { clockRangeText } from '#platform/time-text.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { answerShopPlate } from './plate-lookup.server.ts'

/** Returns the shop's bays as form options. */
export async function bayChoices({ app, place }: AtShop): Promise<{ id: string; label: string }[]> {
  const now = app.clock.now()
  // Includes retired bays because past jobs still use them.
  const reach = { from: now.subtract({ hours: 24 * 31 }), to: now.add({ hours: 24 * 400 }) }
  const bays = await listBays(app.db, place.shopId, reach)
  return bays.map(({ id, kind, number }) => ({
    id: String(id),
    label: `${kind === 'bay' ? 'Bay' : 'Drop-off'} ${number}`,
  }))
}

/** How long an alignment takes on the day of a form. */
export function alignmentOn({ app, place }: AtShop, on: Temporal.PlainDate): Promise<number> {
  return readAlignmentMinutes(app.db, { shopId: place.shopId, on })
}

/** The fields of a form as an own job fills them in. */
export function valuesOf(job: OwnJob, timeZone: string): Record<string, string> {
  const start = job.start.toZonedDateTimeISO(timeZone)
  return {
    revision: String(job.revision),
    kind: job.kind,
    bay: String(job.bayId),
    on: start.toPlainDate().toString(),
    at: start.toPlainTime().toString({ smallestUnit: 'minute' }),
    minutes: String(job.end.since(job.start).total('minutes') - (job.alignmentMinutes ?? 0)),
    alignment: job.alignmentMinutes === null ? '' : 'yes',
    firstName: job.firstName ?? '',
    phone: job.phone ?? '',
    vehicle: job.vehicle ?? '',
    tires: job.tires ?? '',
    note: job.note ?? '',
    reason: job.overlaps[0]?.reason ?? '',
    seen: job.overlaps.map(({ bookingId }) => bookingId).join(','),
  }
}

/** Looks up the plate and fills in its vehicle. */
export function fillVehicle(context: Readonly<RouterContextProvider>, fields: URLSearchParams) {
  return answerShopPlate(context, fields, ({ name, vinEnd }) => ({
    values: { vehicle: name.slice(0, 80) },
    message: `The plate is for a ${name}. Its VIN ends in ${vinEnd}.`,
  }))
}

/** Saves the posted form. Redirects to the job's day, or returns the form with errors. */
export async function saveFields(at: AtShop, fields: URLSearchParams, ownJobId: string | null) {
  const { app, actor, place } = at
  const { timeZone, code } = place
  const checked = checkForm(ownJobForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const typed = checked.value
  const saved = await enterOwnJob(app, actor, { typed, ownJobId, timeZone })
  if (saved.ok) return seeOther(portalPaths.day(code, { on: typed.on.toString(), done: 'own-job' }))
  return refuseForm(await replyTo(at, fields, { fault: saved, on: typed.on }), statuses[saved.reason] ?? 409)
}

/** Returns the refusal message with the submitted values. */
async function replyTo(
  { app, place }: AtShop,
  fields: URLSearchParams,
  { fault, on }: { fault: OwnJobFault; on: Temporal.PlainDate },
): Promise<FormReply> {
  const { timeZone } = place
  if (fault.reason === 'overlaps') {
    const { shopDay } = await readShopDay(app, place, on)
    const names = fault.detail.map(({ bookingId, state, start, end }) => {
      const job = shopDay.jobs.find(({ id }) => id === bookingId)
      const who = job ? `${job.who} (${job.order})` : state === 'held' ? 'A shopper checking out now' : 'A booking'
      return `${who}, ${clockRangeText(start, end, timeZone)}`
    })
    const reply = formRefusal(fields, `Online on this bay then: ${names.join('; ')}.`, {
      reason: 'Choose a reason, or another time or bay. The online booking doesn’t change.',
    })
    reply.values['seen'] = fault.detail.map(({ bookingId }) => bookingId).join(',')
    return reply
  }
  if (fault.reason === 'own-job-there') {
    const when = clockRangeText(fault.detail.start, fault.detail.end, timeZone)
    return formRefusal(fields, `The shop has a walk-in or blocked time on this bay, ${when}.`, {
      at: 'Choose another time or bay.',
    })
  }
  if (fault.reason === 'changed-meanwhile') {
    const job = fault.detail
    const reply = formRefusal(
      fields,
      `Somebody changed this job: now ${clockRangeText(job.start, job.end, timeZone)}${job.note ? `, “${job.note}”` : ''}. Save again to use yours.`,
    )
    reply.values['revision'] = String(job.revision)
    return reply
  }
  const { message, field } = messages[fault.reason]
  return formRefusal(fields, message, field ? { [field]: message } : {})
}

const statuses: Partial<Record<OwnJobFault['reason'], number>> = {
  'not-allowed': 403,
  'not-found': 404,
  'bay-not-found': 422,
  'too-far': 422,
}

const messages: Record<
  Exclude<OwnJobFault['reason'], 'overlaps' | 'own-job-there' | 'changed-meanwhile'>,
  { message: string; field?: string }
> = {
  'not-allowed': { message: 'You no longer have permission to do this.' },
  'not-found': { message: 'This job does not exist.' },
  'already-over': { message: 'This job is done or canceled already.' },
  'bay-not-found': { message: 'Choose a bay of this shop.', field: 'bay' },
  'too-far': { message: 'Choose a day from a month ago to a year ahead.', field: 'on' },
  taken: { message: 'The time was taken in this moment. Look again and save once more.', field: 'at' },
}

/** The same in one sentence, for acts without a form. */
export function faultText({ reason }: OwnJobFault): string {
  if (reason === 'overlaps' || reason === 'own-job-there' || reason === 'changed-meanwhile')
    return 'That time was just booked. Enter the job again at another time.'
  return messages[reason].message
}
