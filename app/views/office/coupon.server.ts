/** What the office pages show of coupons. */
import { officePaths } from '#content/office-paths.ts'
import { couponKindNames, freeServices } from '#domain/catalog/coupons/coupons.ts'
import type { OfficeCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { funderNames } from '#domain/catalog/promotions/promotions.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'

/** A row of the list; times are in the store's zone. */
export function couponRow(coupon: OfficeCoupon) {
  const { id, code, name, service, subject, fundedBy, uses, usesMost, startsAt, endsAt } = coupon
  return {
    id: String(id),
    code,
    name,
    takes: takesText(coupon),
    subject: service === null ? subject : freeServices[service],
    funder: funderNames[fundedBy],
    uses: `${uses.toLocaleString('en-US')} of ${usesMost.toLocaleString('en-US')}`,
    starts: startsAt ? timeText(startsAt, storeZone) : '',
    ends: endsAt ? timeText(endsAt, storeZone) : '',
  }
}

/** "$15.00 off the order" */
function takesText({ kind, amount, service }: OfficeCoupon): string {
  if (kind === 'Flat Amount') return `${formatCents(amount)} off the order`
  if (kind === 'Percentage') return `${amount}% off`
  if (kind === 'Free') return service === null ? `${amount} free` : 'Free'
  return couponKindNames[kind]
}

/** Where the coupon and those around it are. */
export function linksOfCoupon({ id, replacesId }: OfficeCoupon) {
  return {
    replaces: replacesId === null ? null : officePaths.officeCoupon(replacesId),
    change: officePaths.officeNewCoupon({ from: id }),
  }
}
