/** The list of shops that applied, newest first. */
import { shopApplicationRecord } from '#app/office/records/shops.server.ts'
import { defineList, idPlace, placeOfId, statesView, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listShopApplications } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import {
  shopApplicationNumber,
  shopApplicationStates,
  shopApplicationStateWords,
  shopApplicationTab,
} from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { phoneText } from '#platform/phone-text.ts'

export const shopApplications = defineList({
  name: 'shop-applications',
  title: 'Shop applications',
  path: officePaths.officeShopApplications(),
  permission: 'shop-applications.read',
  caption: 'Shop applications, newest first',
  nouns: ['application', 'applications'],
  view: statesView(shopApplicationStates, shopApplicationStateWords),
  columns: [
    { key: 'number', label: 'Application', isFixed: true },
    { key: 'state', label: 'State', isFileOnly: true },
    { key: 'shop', label: 'Shop', isFixed: true },
    { key: 'place', label: 'Place' },
    { key: 'street', label: 'Street', isFileOnly: true },
    { key: 'city', label: 'City', isFileOnly: true },
    { key: 'stateCode', label: 'US state', isFileOnly: true },
    { key: 'zip', label: 'ZIP', isFileOnly: true },
    { key: 'phone', label: 'Shop phone' },
    { key: 'owner', label: 'Owner' },
    { key: 'email', label: 'Owner’s email', isOff: true },
    { key: 'sent', label: 'Sent', kind: 'time' },
  ],
  record: shopApplicationRecord,
  read: async ({ app }, { filters, after, before }) => {
    const { applications, next } = await listShopApplications(app, {
      state: shopApplicationTab(filters['state'] ?? null),
      before: idPlace(after ?? before),
    })
    return {
      rows: applications.map(({ id, state, asked, submittedAt }) => ({
        id: shopApplicationNumber(id),
        label: asked.company,
        path: officePaths.officeShopApplication(shopApplicationNumber(id)),
        cells: {
          number: shopApplicationNumber(id),
          state: shopApplicationStateWords[state],
          shop: asked.company,
          place: `${asked.city}, ${asked.state} ${asked.zip}`,
          street: asked.street,
          city: asked.city,
          stateCode: asked.state,
          zip: asked.zip,
          phone: phoneText(asked.shopPhone),
          owner: `${asked.ownerFirstName} ${asked.ownerLastName}`,
          email: asked.ownerEmail,
          sent: time(submittedAt),
        },
      })),
      next: placeOfId(next),
    }
  },
})
