/** The shop certifications, newest first. */
import { defineList, idPlace, placeOfId, rowAtId } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { listCertifications } from '#domain/scheduling/installers/installers.server.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'

export const certifiedShops = defineList({
  news: {
    certified: 'Certified. Customers see the mark within 10 minutes.',
    revoked: 'Revoked. The mark is removed within 10 minutes.',
  },
  name: 'certified-shops',
  title: 'Certified shops',
  path: officePaths.officeCertifiedShops(),
  permission: 'certifications.read',
  caption: 'Certifications, newest first',
  empty: 'No shop has been certified yet.',
  nouns: ['certification', 'certifications'],
  columns: [
    { key: 'code', label: 'Shop code', isFileOnly: true },
    { key: 'shop', label: 'Shop', isFixed: true },
    { key: 'city', label: 'City', isFileOnly: true },
    { key: 'stateCode', label: 'US state', isFileOnly: true },
    { key: 'days', label: 'Days', isPageOnly: true },
    { key: 'from', label: 'From', isFileOnly: true },
    { key: 'until', label: 'Until', isFileOnly: true },
    { key: 'state', label: 'State' },
    { key: 'months', label: 'Warranty in months', isFileOnly: true },
    { key: 'miles', label: 'Warranty in miles', isFileOnly: true },
    { key: 'evidence', label: 'Evidence' },
    { key: 'by', label: 'Certified by', isFileOnly: true },
    { key: 'act', label: 'Revoke', isPageOnly: true, permission: 'certifications.decide' },
  ],
  rowAt: (_reader, id) => rowAtId(id, 'highest first'),
  read: async ({ app, now }, { after, before }) => {
    const { certifications, next } = await listCertifications(app, idPlace(after ?? before))
    const today = storeDay(now).toString()
    return {
      rows: certifications.map((one) => {
        const isOver = one.until < today
        return {
          id: String(one.id),
          label: `${one.shopName}, ${one.city}, ${one.state} (${one.shopCode})`,
          path: null,
          cells: {
            code: one.shopCode,
            shop: { text: `${one.shopName}, ${one.city}, ${one.state} (${one.shopCode})`, file: one.shopName },
            city: one.city,
            stateCode: one.state,
            days: `${dateText(one.from)} to ${dateText(one.until)}`,
            from: one.from,
            until: one.until,
            state: {
              text: one.revoked ? `Revoked by ${one.revoked.by}: ${one.revoked.for}` : isOver ? 'Ended' : 'Certified',
              file: one.revoked?.for ?? null,
            },
            months: one.warrantyMonths,
            miles: one.warrantyMiles,
            evidence: { text: `${one.evidence} (${one.grantedBy})`, file: one.evidence },
            by: one.grantedBy,
            act: one.revoked === null && !isOver ? 'revoke' : null,
          },
        }
      }),
      next: placeOfId(next),
    }
  },
})
