/** A person's data in all folders: exported, deleted with an account, and erased for a customer. */
export { deleteAccount, readAccountData, type AccountData } from './account-data.server.ts'
export { decideErasure, exportCustomer, requestErasure } from './erase-customer.server.ts'
