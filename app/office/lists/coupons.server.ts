/** The list of coupons by state. */
import { defineList, stateOf, statesView, time } from '#app/office/define-list.server.ts'
import { placeText, readRowPlace } from '#app/office/list-place.ts'
import { couponValues } from '#app/views/offer-form.ts'
import { couponRow } from '#app/views/office/coupon.server.ts'
import { stateTabs } from '#app/views/scheduled-states.ts'
import { officePaths } from '#content/office-paths.ts'
import { listCoupons } from '#domain/catalog/coupons/coupons.server.ts'
import { couponFile, couponStates } from '#domain/catalog/coupons/coupons.ts'

/** The other columns of the file, which can be imported again. */
const fileColumns = Object.entries(couponFile.columns)
  .filter(([key]) => key !== 'code' && key !== 'name')
  .map(([key, label]) => ({ key, label, isFileOnly: true }))

export const coupons = defineList({
  name: 'coupons',
  title: 'Coupons',
  path: officePaths.officeCoupons(),
  permission: 'promotions.read',
  caption: 'Coupons',
  nouns: ['coupon', 'coupons'],
  view: statesView(couponStates, stateTabs),
  columns: [
    { key: 'code', label: 'Code', isFixed: true },
    { key: 'name', label: 'Name' },
    { key: 'takes', label: 'Discount' },
    { key: 'appliesTo', label: 'Applies to' },
    { key: 'funder', label: 'Paid by', isOff: true },
    { key: 'uses', label: 'Used', kind: 'count' },
    { key: 'starts', label: 'Starts', kind: 'time' },
    { key: 'ends', label: 'Ends', kind: 'time' },
    ...fileColumns,
  ],
  links: [
    { label: 'Import a file', path: officePaths.officeCouponsImport(), permission: 'promotions.edit' },
    { label: 'New coupon', path: officePaths.officeNewCoupon(), permission: 'promotions.edit', isPrimary: true },
  ],
  news: {
    imported: 'Coupons imported. Schedule each draft when it’s ready.',
    'imported-same': 'The file matches the current coupons. No changes made.',
  },
  read: async ({ app }, query) => {
    const { coupons: found, next } = await listCoupons(app, {
      state: stateOf(couponStates, query),
      after: readRowPlace(query.after ?? query.before),
    })
    return {
      rows: found.map((coupon) => {
        const { id, code, name, takes, subject, funder, uses } = couponRow(coupon)
        return {
          id,
          label: code,
          path: officePaths.officeCoupon(coupon.id),
          cells: {
            ...couponValues(coupon),
            id,
            version: coupon.version,
            code,
            name,
            takes,
            appliesTo: subject,
            funder,
            uses: { text: uses, file: coupon.uses },
            starts: time(coupon.startsAt),
            ends: time(coupon.endsAt),
          },
        }
      }),
      next: next && placeText(next.at, next.id),
    }
  },
})
