/** The contact of a customer as staff change it, and who else may be the same person. */
import { officePaths } from '#content/office-paths.ts'
import type { ContactChange, Customer } from '#domain/customers/customers/customers.server.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeDateText } from '#platform/store-zone.ts'

/** A customer who may be the one that is being added, with the page that shows them. */
export type AlikeView = { path: string; name: string; note: string }

export function alikeView({ id, name, email, activeAt }: Customer): AlikeView {
  return {
    path: officePaths.officeCustomer(id),
    name: name ?? email,
    note: `${name === null ? '' : `${email}, `}last active ${storeDateText(activeAt)}`,
  }
}

const labels = { name: 'Name', email: 'Email', phone: 'Phone' } as const

/** A change as its lines, such as "Phone (312) 555-0188 → (312) 555-0142", with when and by whom. */
export function contactChangeView({ id, before, after, at, by }: ContactChange) {
  return {
    id,
    lines: (['name', 'email', 'phone'] as const)
      .filter((field) => before[field] !== after[field])
      .map((field) => `${labels[field]} ${valueText(field, before)} → ${valueText(field, after)}`),
    note: `${storeDateText(at)} by ${by}`,
  }
}

function valueText(field: keyof typeof labels, contact: ContactChange['after']): string {
  const value = contact[field]
  if (value === null) return 'none'
  return field === 'phone' ? phoneText(value) : value
}
