/** The list of companies by state, those that applied last first, and their tax certificates to check. */
import { allRows, defineList, money, stateOf, statesView, time } from '#app/office/define-list.server.ts'
import { placeText, readPlace } from '#app/office/list-place.ts'
import { officePaths } from '#content/office-paths.ts'
import { companyStates, kindNames } from '#domain/customers/companies/companies.ts'
import { listCompaniesPage, listWaitingExemptions } from '#domain/customers/companies/companies.server.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'

export const companies = defineList({
  name: 'companies',
  title: 'Companies',
  path: officePaths.officeCompanies(),
  permission: 'companies.read',
  caption: 'Companies, newest applications first',
  nouns: ['company', 'companies'],
  view: statesView(companyStates, {
    applied: 'Applications',
    approved: 'Approved',
    closed: 'Closed',
    refused: 'Refused',
  }),
  columns: [
    { key: 'name', label: 'Company', isFixed: true },
    { key: 'kind', label: 'Kind' },
    { key: 'phone', label: 'Phone', isOff: true },
    { key: 'vehicles', label: 'Vehicles', kind: 'count' },
    { key: 'terms', label: 'Terms' },
    { key: 'limit', label: 'Credit limit', kind: 'money', isOff: true },
    { key: 'applied', label: 'Applied', kind: 'time' },
  ],
  read: async ({ app }, query) => {
    const place = readPlace(query.after ?? query.before)
    const { companies: found, next } = await listCompaniesPage(app, {
      state: stateOf(companyStates, query),
      after: place && { appliedAt: place.at, id: place.id },
    })
    return {
      rows: found.map(({ id, name, kind, phone, vehicles, terms, appliedAt }) => ({
        id,
        label: name,
        path: officePaths.officeCompany(id),
        cells: {
          name,
          kind: kindNames[kind],
          phone: { text: phoneText(phone), file: phone },
          vehicles,
          terms: {
            text: terms ? `Net ${terms.netDays}, up to ${formatCents(terms.creditLimitCents)}` : 'Pays when ordering',
            file: terms?.netDays ?? null,
          },
          limit: money(terms?.creditLimitCents ?? null),
          applied: time(appliedAt),
        },
      })),
      next: next && placeText(next.appliedAt, next.id),
    }
  },
})

export const certificates = defineList({
  name: 'certificates',
  title: 'Tax certificates to check',
  path: officePaths.officeCompanies(),
  permission: 'certificates.read',
  caption: 'Tax certificates to check',
  empty: 'No certificates to check.',
  nouns: ['certificate', 'certificates'],
  columns: [
    { key: 'company', label: 'Company', isFixed: true },
    { key: 'state', label: 'State' },
    { key: 'number', label: 'Certificate' },
    { key: 'expires', label: 'Expires' },
    { key: 'sent', label: 'Sent', kind: 'time' },
  ],
  rowAt: () => ({ after: null }),
  read: ({ app }) =>
    allRows(listWaitingExemptions(app), ({ id, companyId, company, state, number, expiresOn, sentAt }) => ({
      id,
      label: company,
      path: `${officePaths.officeCompany(companyId)}#certificates`,
      cells: { company, state, number, expires: expiresOn.toString(), sent: time(sentAt) },
    })),
})
