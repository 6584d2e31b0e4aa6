/** What the forms of a shop's capacity do, and what their refusals say. */
import { data } from 'react-router'
import { checkForm, formRefusal, refuseForm, type FormReply } from '#app/forms/form.ts'
import type { AtShop } from '#app/server/portal.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { CapacityPlan } from '#domain/scheduling/booking/booking.server.ts'
import {
  changeCapacity,
  readCapacity,
  type CapacityChange,
  type CapacityRefusal,
  type HurtJob,
} from '#domain/installer-portal/portal/portal.server.ts'
import {
  blackoutForm,
  capacityDayForm,
  capacityDifferences,
  capacityForm,
  changedTerms,
  misfitWords,
  type CapacityDifference,
  type CapacityInput,
} from '#domain/installer-portal/portal/portal.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dayText } from '#platform/day-text.ts'
import { clockRangeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'

/** An appointment outside of the capacity, in words. */
export type HurtView = { id: string; when: string; who: string; where: string; why: string; move: string }
/** A change with the appointments it affects, and the fields that confirm it. */
type CapacityPreview = { changes: CapacityDifference[]; hurt: HurtView[]; fields: [string, string][] }
/** A refused form; with `preview` if it must be confirmed. */
export type CapacityReply = FormReply & { preview?: CapacityPreview }

/** Describes appointments with the address at which each is moved. */
export function hurtViews(hurt: readonly HurtJob[], place: { code: string; timeZone: string }): HurtView[] {
  return hurt.map(({ bookingId, start, end, bay, reason, job }) => ({
    id: bookingId,
    when: `${dayText(start.toZonedDateTimeISO(place.timeZone).toPlainDate())}, ${clockRangeText(start, end, place.timeZone)}`,
    who: job ? `${job.firstName} ${job.lastInitial}., ${orderNumber(job.orderId)}` : 'An appointment',
    where: `${bay.kind === 'bay' ? 'Bay' : 'Drop-off'} ${bay.number}`,
    why: misfitWords[reason],
    move: portalPaths.move(place.code, bookingId),
  }))
}

/** Runs the form's action. Redirects back, or returns the form with errors or a warning about affected bookings. */
export async function actOnCapacity(at: AtShop, fields: URLSearchParams) {
  const intent = fields.get('intent')
  switch (intent) {
    case 'version': {
      const checked = checkForm(capacityForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const { seen, ...version } = checked.value
      return settle(at, fields, {
        change: { kind: 'version', ...version },
        seen,
        basedOn: fields.get('basedOn') ?? undefined,
        changes: () => changesOf(at, version),
      })
    }
    case 'close': {
      const checked = checkForm(blackoutForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const closure = checked.value
      const name = dayText(Temporal.PlainDate.from(closure.on))
      const changes = () => Promise.resolve([{ name, before: 'Open', after: 'Closed' }])
      return settle(at, fields, { change: { kind: 'close', closure }, seen: seenIn(fields), changes })
    }
    case 'withdraw':
    case 'open': {
      const checked = capacityDayForm.safeParse(Object.fromEntries(fields))
      if (!checked.success) return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
      const { day, seen } = checked.data
      return settle(at, fields, { change: { kind: intent, day }, seen })
    }
    default:
      throw data(null, { status: 400 })
  }
}

/** Compares a new version with the one that it replaces. */
async function changesOf({ app, place }: AtShop, version: Omit<CapacityInput, 'seen'>): Promise<CapacityDifference[]> {
  const { plans } = await readCapacity(app, place)
  const plan = plans.findLast(({ from }) => from === null || from <= version.from.toString())
  return plan ? changedTerms(plan, version) : []
}

function seenIn(fields: URLSearchParams): string | null {
  const seen = fields.get('seen')
  return seen && seen.length <= 100 ? seen : null
}

async function settle(
  { app, actor, place }: AtShop,
  fields: URLSearchParams,
  {
    changes,
    ...asked
  }: {
    change: CapacityChange
    seen: string | null
    basedOn?: string | undefined
    /** Reads what the change alters, for its confirmation. */
    changes?: () => Promise<CapacityDifference[]>
  },
) {
  const { change, seen } = asked
  const { code, timeZone } = place
  const made = await changeCapacity(app, actor, { timeZone, ...asked })
  if (made.ok) return seeOther(portalPaths.capacity(code, made.value.hurt > 0 ? 'kept' : doneOf[change.kind]))
  if (made.reason === 'changed-meanwhile') return refuseForm(conflictReply(fields, made.detail), 409)
  if (made.reason !== 'hurts') {
    const { message, field, status } = refusals[made.reason]
    const name = field && (change.kind === 'close' ? 'on' : field)
    return refuseForm(formRefusal(fields, message, name ? { [name]: message } : {}), status)
  }
  const { hurt } = made.detail
  const count = countOf(hurt.length, 'appointment does', 'appointments do')
  const again = seen === null ? '' : 'Bookings changed since you looked. '
  const reply: CapacityReply = {
    ...formRefusal(fields, `${again}Your change isn’t saved yet. ${count} not fit this change.`),
    preview: {
      changes: (await changes?.()) ?? [],
      hurt: hurtViews(hurt, place),
      fields: [...[...fields].filter(([name]) => name !== 'seen'), ['seen', made.detail.seen]],
    },
  }
  return refuseForm(reply, 409)
}

/** Returns both values of each field that another user changed. Saving again uses the form's values. */
function conflictReply(
  fields: URLSearchParams,
  { plan, version }: { plan: CapacityPlan | undefined; version: string },
): FormReply {
  const now = plan ? capacityDifferences(plan, Object.fromEntries(fields)) : {}
  const reply = formRefusal(
    fields,
    'Another team member changed the capacity. Your change isn’t saved yet. Review the differences below, then save again to use yours.',
    now,
  )
  reply.values['basedOn'] = version
  return reply
}

const doneOf: Readonly<Record<CapacityChange['kind'], string>> = {
  version: 'saved',
  withdraw: 'withdrawn',
  close: 'closed',
  open: 'opened',
}

const refusals: Record<
  Exclude<CapacityRefusal['reason'], 'hurts' | 'changed-meanwhile'>,
  { message: string; field?: string; status: number }
> = {
  'not-allowed': { message: 'You no longer have permission to do this.', status: 403 },
  'in-set-up': { message: 'Open the shop first. Until then, change these values in setup.', status: 409 },
  past: { message: 'This day has already started. Choose a later day.', field: 'from', status: 422 },
  'too-far': { message: 'Choose a day within a year.', field: 'from', status: 422 },
  'too-many': { message: 'That is the most we keep at a time. Remove one first.', status: 409 },
  'no-plan': { message: 'This change was taken back already.', status: 409 },
}
