/** Customers. Safe in the browser. */
export { contactChangeForm, maxCustomerName, newCustomerForm, phoneChangeForm } from './contact-form.ts'

/** The views of the customer list, in the order of its tabs. */
export const customerViews = ['all', 'new', 'credit', 'company', 'duplicates', 'blocked'] as const
export type CustomerView = (typeof customerViews)[number]

export const customerViewNames: Readonly<Record<CustomerView, string>> = {
  all: 'All',
  new: 'New this week',
  credit: 'With store credit',
  company: 'Company buyers',
  duplicates: 'Possible duplicates',
  blocked: 'Blocked',
}

/** The longest text that the customer list searches for. */
export const maxCustomerSearch = 100

/** Days within which a merge can be undone. */
export const undoMergeDays = 30

/** The longest reason of a block, in characters. */
export const maxBlockReason = 500

/** The longest reason to erase a customer, in characters. */
export const maxErasureReason = 500

/** The longest note on a customer, in characters. */
export const maxCustomerNote = 2_000
