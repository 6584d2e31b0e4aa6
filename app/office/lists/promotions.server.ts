/** The list of promotions by state. */
import { defineList, stateOf, statesView, time } from '#app/office/define-list.server.ts'
import { placeText, readRowPlace } from '#app/office/list-place.ts'
import { promotionRow } from '#app/views/office/promotion.server.ts'
import { stateTabs } from '#app/views/scheduled-states.ts'
import { officePaths } from '#content/office-paths.ts'
import { listPromotions } from '#domain/catalog/promotions/promotions.server.ts'
import { promotionStates } from '#domain/catalog/promotions/promotions.ts'

export const promotions = defineList({
  name: 'promotions',
  title: 'Promotions',
  path: officePaths.officePromotions(),
  permission: 'promotions.read',
  caption: 'Promotions',
  nouns: ['promotion', 'promotions'],
  view: statesView(promotionStates, stateTabs),
  columns: [
    { key: 'name', label: 'Promotion', isFixed: true },
    { key: 'headline', label: 'Headline', isOff: true },
    { key: 'takes', label: 'Discount' },
    { key: 'subject', label: 'Applies to' },
    { key: 'funder', label: 'Paid by' },
    { key: 'starts', label: 'Starts', kind: 'time' },
    { key: 'ends', label: 'Ends', kind: 'time' },
  ],
  links: [
    { label: 'New promotion', path: officePaths.officeNewPromotion(), permission: 'promotions.edit', isPrimary: true },
  ],
  read: async ({ app }, query) => {
    const { promotions: found, next } = await listPromotions(app, {
      state: stateOf(promotionStates, query),
      after: readRowPlace(query.after ?? query.before),
    })
    return {
      rows: found.map((promotion) => {
        const { id, name, takes, subject, funder } = promotionRow(promotion)
        return {
          id,
          label: name,
          path: officePaths.officePromotion(id),
          cells: {
            name,
            headline: promotion.headline,
            takes,
            subject,
            funder,
            starts: time(promotion.startsAt),
            ends: time(promotion.endsAt),
          },
        }
      }),
      next: next && placeText(next.at, next.id),
    }
  },
})
