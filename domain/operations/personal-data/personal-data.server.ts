/** Exports a person's data in all folders, deletes it with an account, and erases it for a customer. */
export { deleteAccount, readAccountData, type AccountData } from './account-data.server.ts'
export { decideErasure, exportCustomer, requestErasure } from './erase-customer.server.ts'
