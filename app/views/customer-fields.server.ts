/** Decides who sees names, addresses, emails and phones of customers in the back office, and what others see instead. */
import { staffCan, type StaffRole } from '#domain/staff/staff.ts'

export type CustomerFields = {
  /** Whether these roles see customers. */
  readonly isShown: boolean
  /** The value, or the text that takes its place. */
  show(value: string): string
}

/** The customer fields for staff with these roles. Every page, file and answer with a customer asks this function. */
export function customerFieldsFor(roles: readonly StaffRole[]): CustomerFields {
  const isShown = staffCan(roles, 'customers.read')
  return { isShown, show: (value) => (isShown ? value : hiddenText) }
}

const hiddenText = 'Hidden for your role'
