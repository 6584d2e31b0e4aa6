/** Customers. Safe in the browser. */
export { contactChangeForm, maxCustomerName, newCustomerForm, phoneChangeForm } from './contact-form.ts'
export {
  blockForm,
  customerNoteForm,
  customerVehicleForm,
  erasureForm,
  maxBlockReason,
  maxCustomerNote,
  maxErasureReason,
  maxVehicleText,
  otherCustomerForm,
  undoMergeDays,
} from './decision-forms.ts'

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
