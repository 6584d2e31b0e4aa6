/** The back office's lists of tire shops as files. */
import { listCertifications } from '#domain/installers/installers.server.ts'
import { listShopApplications } from '#domain/shop-applications/shop-applications.server.ts'
import {
  shopApplicationNumber,
  shopApplicationStateWords,
  shopApplicationTab,
} from '#domain/shop-applications/shop-applications.ts'
import type { OfficeListName } from '#domain/staff/staff.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeStates, type StoreState } from '#domain/branded-stores/branded-stores.ts'
import { listStores } from '#domain/branded-stores/branded-stores.server.ts'
import { inPages, time, timed, type OfficeFile } from './office-file.server.ts'

export const shopFiles = {
  'shop-applications': {
    header: [
      'Application',
      'State',
      'Shop',
      'Street',
      'City',
      'US state',
      'ZIP',
      'Shop phone',
      'Owner',
      'Owner’s email',
      timed('Sent'),
    ],
    batches: (shop, query) => {
      const state = shopApplicationTab(query.get('state'))
      return inPages<number>(async (before) => {
        const { applications, next } = await listShopApplications(shop, { state, before })
        return {
          rows: applications.map(({ id, state: now, asked, submittedAt }) => [
            shopApplicationNumber(id),
            shopApplicationStateWords[now],
            asked.company,
            asked.street,
            asked.city,
            asked.state,
            asked.zip,
            phoneText(asked.shopPhone),
            `${asked.ownerFirstName} ${asked.ownerLastName}`,
            asked.ownerEmail,
            time(submittedAt),
          ]),
          next,
        }
      })
    },
  },
  'certified-shops': {
    header: [
      'Shop',
      'Name',
      'City',
      'State',
      'From',
      'Until',
      'Months',
      'Miles',
      'Seen',
      'Certified by',
      'Revoked for',
    ],
    batches: (shop) =>
      inPages<number>(async (before) => {
        const { certifications, next } = await listCertifications(shop, before)
        return {
          rows: certifications.map((one) => [
            one.shopCode,
            one.shopName,
            one.city,
            one.state,
            one.from,
            one.until,
            one.warrantyMonths,
            one.warrantyMiles,
            one.evidence,
            one.grantedBy,
            one.revoked?.for ?? null,
          ]),
          next,
        }
      }),
  },
  'branded-stores': {
    header: ['Shop', 'Name', 'Store', 'Dealer code', 'Bar', 'Buttons', 'State', timed('Saved'), 'Decided by', 'Reason'],
    batches: (shop, query) => {
      const state = (Object.keys(storeStates) as StoreState[]).find((each) => each === query.get('state')) ?? 'waiting'
      return inPages<number>(async (before) => {
        const { stores, next } = await listStores(shop, { state, before })
        return {
          rows: stores.map((store) => [
            store.shopCode,
            store.shopName,
            store.name,
            store.dealerCode,
            store.brandColor,
            store.accentColor,
            storeStates[state],
            time(store.savedAt),
            store.decidedBy,
            store.offReason,
          ]),
          next,
        }
      })
    },
  },
} as const satisfies Partial<Record<OfficeListName, OfficeFile>>
