/** The forms of the pages of promotions and coupons: schedule, end and discard. */
import { checkForm, formRefusal, refuseForm } from '#app/forms/form.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import type { ConcessionRefusal } from '#domain/concessions/concessions.server.ts'
import { discardCoupon, endCoupon, scheduleCoupon, type OfficeCoupon } from '#domain/coupons/coupons.server.ts'
import {
  discardDraft,
  endPromotion,
  schedulePromotion,
  type OfficePromotion,
} from '#domain/promotions/promotions.server.ts'
import { endForm, scheduleForm } from '#domain/promotions/promotions.ts'
import type { Actor } from '#domain/staff/staff.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'
import { countOf } from '#platform/count-text.ts'
import type { Shop } from '#shop'

type Times = { startsAt: Temporal.Instant; endsAt: Temporal.Instant }
type Refusal =
  | Refused<Exclude<keyof typeof refusals, ConcessionRefusal['reason']>>
  | ConcessionRefusal
  | Refused<'below-map', { count: number; skus: string[] }>

/** What the forms do; each returns the path that it leads to. */
type UseCases = {
  schedule(times: Times): Promise<Outcome<string, Refusal>>
  end(reason: string): Promise<Outcome<string, Refusal>>
  discard(): Promise<Outcome<string, Refusal>>
}

/** Does what the form on a promotion's page asks for, and leads on; or returns the form with what is wrong. */
export function actOnPromotion(
  shop: Shop,
  {
    promotion: { planId, promotionId },
    fields,
    by,
  }: { promotion: OfficePromotion; fields: URLSearchParams; by: Actor },
) {
  return act(fields, {
    async schedule(times) {
      const done = await schedulePromotion(shop, by, { planId: planId ?? 0, ...times })
      return leading(done, (scheduled) =>
        scheduled.state === 'scheduled'
          ? officePaths.officePromotion(`p${scheduled.promotionId}`, { done: 'scheduled' })
          : officePaths.officePromotion(`d${planId}`, { done: 'requested' }),
      )
    },
    async end(reason) {
      const done = await endPromotion(shop, by, { promotionId: promotionId ?? 0, reason })
      return leading(done, ({ draftId }) =>
        draftId === null
          ? officePaths.officePromotion(`p${promotionId}`, { done: 'ended' })
          : officePaths.officePromotion(`d${draftId}`, { done: 'withdrawn' }),
      )
    },
    async discard() {
      const done = await discardDraft(shop, by, planId ?? 0)
      return leading(done, () => officePaths.officePromotions({ state: 'draft' }))
    },
  })
}

/** The same on a coupon's page. */
export function actOnCoupon(
  shop: Shop,
  { coupon: { id }, fields, by }: { coupon: OfficeCoupon; fields: URLSearchParams; by: Actor },
) {
  return act(fields, {
    async schedule(times) {
      const done = await scheduleCoupon(shop, by, { id, ...times })
      return leading(done, ({ state }) => officePaths.officeCoupon(id, { done: state }))
    },
    async end(reason) {
      const done = await endCoupon(shop, by, { id, reason })
      return leading(done, ({ isWithdrawn }) =>
        officePaths.officeCoupon(id, { done: isWithdrawn ? 'withdrawn' : 'ended' }),
      )
    },
    async discard() {
      return leading(await discardCoupon(shop, by, id), () => officePaths.officeCoupons({ state: 'draft' }))
    },
  })
}

function leading<Value>(done: Outcome<Value, Refusal>, pathOf: (value: Value) => string): Outcome<string, Refusal> {
  return done.ok ? { ok: true, value: pathOf(done.value) } : done
}

async function act(fields: URLSearchParams, useCases: UseCases) {
  const done = await press(fields, useCases)
  if ('reply' in done) return done.reply
  return done.ok ? seeOther(done.value) : refusal(fields, done)
}

async function press(
  fields: URLSearchParams,
  useCases: UseCases,
): Promise<Outcome<string, Refusal> | { reply: ReturnType<typeof refuseForm> }> {
  switch (fields.get('intent')) {
    case 'schedule': {
      const checked = checkForm(scheduleForm, fields)
      return checked.ok ? useCases.schedule(checked.value) : { reply: refuseForm(checked.reply) }
    }
    case 'end': {
      const checked = checkForm(endForm, fields)
      return checked.ok ? useCases.end(checked.value.reason) : { reply: refuseForm(checked.reply) }
    }
    case 'discard':
      return useCases.discard()
    default:
      return { reply: refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400) }
  }
}

/** Each with the field that it is about, if any. */
const refusals = {
  'over-your-limit': { words: concessionMessages['over-your-limit'] },
  'not-fresh': { words: concessionMessages['not-fresh'] },
  'not-allowed': { words: 'Your role does not allow that. Nothing was changed.' },
  gone: { words: 'It was discarded in the meantime.' },
  'has-version': { words: 'There is a new version of it. Discard that draft first.' },
  'other-state': { words: 'A colleague changed it in the meantime. Nothing was changed.' },
  'starts-in-past': { words: 'Choose a time that has not passed.', field: 'startsAt' },
  'ends-before-start': { words: 'It must end after it starts.', field: 'endsAt' },
  'original-not-begun': {
    words: 'The version it replaces would not have started by then. Withdraw that one, or start later.',
    field: 'startsAt',
  },
  'code-taken': { words: 'Another coupon has this code in that time. End that one first.', field: 'startsAt' },
} as const satisfies Record<string, { words: string; field?: string }>

function refusal(fields: URLSearchParams, refused: Refusal) {
  if (refused.reason === 'below-map') {
    const { count, skus } = refused.detail
    const words = `It would put ${countOf(count, 'tire')} below the maker’s minimum advertised price: ${skus.join(', ')}${count > skus.length ? ' and others' : ''}.`
    return refuseForm(formRefusal(fields, words))
  }
  const about: { words: string; field?: string } = refusals[refused.reason]
  if (about.field) return refuseForm(formRefusal(fields, 'Fix 1 field:', { [about.field]: about.words }))
  return refuseForm(formRefusal(fields, about.words), refused.reason === 'not-allowed' ? 403 : 409)
}
