/** Who may see and do what in the back office. Pages, use cases and tests all read this table. */

/** The roles that come with the product. */
export const staffRoles = ['support', 'sales', 'warehouse', 'catalog', 'finance', 'manager', 'owner'] as const
export type BuiltInRole = (typeof staffRoles)[number]

/** A role, either built-in or custom with its permissions. */
export type StaffRole = BuiltInRole | { readonly name: string; readonly permissions: readonly Permission[] }

export const staffRoleNames: Readonly<Record<BuiltInRole, string>> = {
  support: 'Support',
  sales: 'Sales',
  warehouse: 'Warehouse',
  catalog: 'Catalog',
  finance: 'Finance',
  manager: 'Manager',
  owner: 'Owner',
}

type Rule = { readonly words: string; readonly roles: readonly BuiltInRole[] }

/** Every permission, in words, with the roles that have it. */
export const permissions = {
  'office.open': { words: 'Open the back office', roles: staffRoles },
  'requests.read': { words: 'Read messages and leads', roles: ['support', 'sales', 'manager', 'owner'] },
  'companies.decide': {
    words: 'Approve, refuse and close companies, set their brands and domains',
    roles: ['sales', 'manager', 'owner'],
  },
  'companies.terms': { words: 'Set net terms and credit limits', roles: ['finance', 'manager', 'owner'] },
  'invoices.settle': { words: 'Record payments on invoices', roles: ['finance', 'manager', 'owner'] },
  'companies.read': {
    words: 'Read companies, their members and invoices',
    roles: ['sales', 'finance', 'manager', 'owner'],
  },
  'webhooks.read': {
    words: 'See webhooks that could not be delivered',
    roles: ['sales', 'manager', 'owner'],
  },
  'webhooks.replay': { words: 'Send webhooks again', roles: ['sales', 'manager', 'owner'] },
  'webhooks.manage': { words: 'Add, change and test the store’s webhooks', roles: ['owner'] },
  'partners.decide': { words: 'Approve and refuse partners and employers', roles: ['sales', 'manager', 'owner'] },
  'requests.answer': {
    words: 'Answer, assign and close messages and leads',
    roles: ['support', 'sales', 'manager', 'owner'],
  },
  'templates.manage': { words: 'Edit answer templates', roles: ['manager', 'owner'] },
  'partners.read': { words: 'Read partner applications', roles: ['sales', 'manager', 'owner'] },
  'shop-applications.read': {
    words: 'Read applications of shops',
    roles: ['support', 'sales', 'manager', 'owner'],
  },
  'shop-applications.decide': {
    words: 'Ask about, approve and refuse applications of shops',
    roles: ['sales', 'manager', 'owner'],
  },
  'shops.edit': {
    words: 'Add and edit shops and vans, pause their bookings, and work in their portal',
    roles: ['sales', 'manager', 'owner'],
  },
  'shops.close': { words: 'Suspend, close and reopen shops and vans', roles: ['manager', 'owner'] },
  'shop-reports.read': {
    words: 'View shop reports about units',
    roles: ['support', 'warehouse', 'manager', 'owner'],
  },
  'shop-reports.answer': {
    words: 'Answer and close reports of shops',
    roles: ['support', 'warehouse', 'manager', 'owner'],
  },
  'undone-jobs.read': {
    words: 'See jobs that shops could not do',
    roles: ['support', 'sales', 'manager', 'owner'],
  },
  'tire-registrations.read': {
    words: 'View tire registrations with buyers',
    roles: ['support', 'manager', 'owner'],
  },
  'tire-registrations.export': {
    words: 'Send tire registrations to manufacturers',
    roles: ['manager', 'owner'],
  },
  'recalls.read': {
    words: 'View recalls and affected customers',
    roles: ['support', 'catalog', 'manager', 'owner'],
  },
  'recalls.manage': { words: 'Import, open, extend and close recalls', roles: ['manager', 'owner'] },
  'certificates.decide': { words: 'Accept and decline tax certificates', roles: ['finance', 'manager', 'owner'] },
  'delays.read': {
    words: 'See delayed orders that need a person',
    roles: ['support', 'warehouse', 'manager', 'owner'],
  },
  'certificates.read': { words: 'Read tax certificates', roles: ['finance', 'manager', 'owner'] },
  'reviews.decide': { words: 'Publish and refuse reviews', roles: ['support', 'catalog', 'manager', 'owner'] },
  'guarantees.read': {
    words: 'Read price guarantee requests',
    roles: ['support', 'sales', 'finance', 'manager', 'owner'],
  },
  'guarantees.decide': {
    words: 'Decide price guarantee requests',
    roles: ['support', 'sales', 'finance', 'manager', 'owner'],
  },
  'certifications.read': { words: 'See which shops are certified', roles: ['support', 'sales', 'manager', 'owner'] },
  'certifications.decide': { words: 'Certify shops and revoke it', roles: ['manager', 'owner'] },
  'branded-stores.read': {
    words: 'See the stores under shops’ names',
    roles: ['support', 'sales', 'manager', 'owner'],
  },
  'branded-stores.decide': { words: 'Switch branded stores on and off', roles: ['manager', 'owner'] },
  'claims.read': { words: 'Read coverage claims', roles: ['support', 'finance', 'manager', 'owner'] },
  'claims.decide': { words: 'Decide coverage claims', roles: ['support', 'finance', 'manager', 'owner'] },
  'reviews.read': { words: 'Read reviews awaiting moderation', roles: ['support', 'catalog', 'manager', 'owner'] },
  'pickups.read': {
    words: 'See orders picked up at warehouses',
    roles: ['support', 'warehouse', 'manager', 'owner'],
  },
  'pickups.hand-over': {
    words: 'Make pickups ready and hand them over',
    roles: ['support', 'warehouse', 'manager', 'owner'],
  },
  'returns.read': { words: 'Read returns', roles: ['support', 'warehouse', 'finance', 'manager', 'owner'] },
  'returns.open': { words: 'Open returns for customers', roles: ['support', 'sales', 'manager', 'owner'] },
  'returns.receive': { words: 'Receive returned tires', roles: ['support', 'warehouse', 'manager', 'owner'] },
  'returns.inspect': {
    words: 'Inspect returned tires, accept or refuse them',
    roles: ['support', 'warehouse', 'manager', 'owner'],
  },
  'returns.refund': { words: 'Refund returns', roles: ['support', 'finance', 'manager', 'owner'] },
  'orders.read': {
    words: 'Read orders',
    roles: ['support', 'sales', 'warehouse', 'finance', 'manager', 'owner'],
  },
  'orders.export': { words: 'Export orders with customer data', roles: ['sales', 'finance', 'manager', 'owner'] },
  'held-orders.read': {
    words: 'See orders that the fraud rules hold or refused, and why',
    roles: ['support', 'finance', 'manager', 'owner'],
  },
  'held-orders.decide': {
    words: 'Accept and cancel orders that the fraud rules hold',
    roles: ['finance', 'manager', 'owner'],
  },
  'disputes.read': {
    words: 'See disputes of charges and their evidence',
    roles: ['support', 'finance', 'manager', 'owner'],
  },
  'disputes.answer': { words: 'Answer and accept disputes of charges', roles: ['finance', 'manager', 'owner'] },
  'reconciliation.read': { words: 'See the daily reconciliation', roles: ['finance', 'manager', 'owner'] },
  'reconciliation.resolve': { words: 'Resolve days that do not balance', roles: ['finance', 'manager', 'owner'] },
  'fraud-rules.manage': { words: 'See and change the fraud rules', roles: ['manager', 'owner'] },
  'money.watch': {
    words: 'See charges and refunds that need attention',
    roles: ['support', 'finance', 'manager', 'owner'],
  },
  'charges.resolve': {
    words: 'Charge, let go of and ask again about charges that stay open',
    roles: ['support', 'finance', 'manager', 'owner'],
  },
  'health.read': { words: 'View service levels', roles: ['manager', 'owner'] },
  'jobs.read': { words: 'See failed background jobs', roles: ['manager', 'owner'] },
  'orders.note': {
    words: 'Add notes to orders',
    roles: ['support', 'sales', 'warehouse', 'finance', 'manager', 'owner'],
  },
  'customers.read': {
    words: 'View customer names, addresses, and emails',
    roles: ['support', 'sales', 'finance', 'manager', 'owner'],
  },
  'customers.edit': {
    words: 'Add customers and change their contact',
    roles: ['support', 'sales', 'manager', 'owner'],
  },
  'customers.note': { words: 'Add notes to customers', roles: ['support', 'sales', 'manager', 'owner'] },
  'credit.give': {
    words: 'Issue store credit up to the approval threshold, and take back unused credit',
    roles: ['support', 'sales', 'finance', 'manager', 'owner'],
  },
  'customers.manage': {
    words: 'Merge and block customers, export and erase their data',
    roles: ['manager', 'owner'],
  },
  'account-types.set': {
    words: 'Set the account type of customers and read its documents',
    roles: ['manager', 'owner'],
  },
  'ledger.read': { words: 'See the ledger of an order', roles: ['support', 'sales', 'finance', 'manager', 'owner'] },
  'refunds.make': {
    words: 'Refund orders, up to the limit of one person',
    roles: ['support', 'sales', 'finance', 'manager', 'owner'],
  },
  'refunds.read': { words: 'Read the list of refunds', roles: ['support', 'sales', 'finance', 'manager', 'owner'] },
  'refunds.approve': {
    words: 'Request refunds over the limit, and approve other team members’ requests',
    roles: ['finance', 'manager', 'owner'],
  },
  'orders.confirm': {
    words: 'Confirm orders, and ask customers to confirm them',
    roles: ['support', 'sales', 'manager', 'owner'],
  },
  'orders.address': { words: 'Change the address of an order', roles: ['support', 'sales', 'manager', 'owner'] },
  'orders.appointment': { words: 'Move appointments', roles: ['support', 'sales', 'manager', 'owner'] },
  'orders.change': {
    words: 'Change the shop or delivery of an order',
    roles: ['support', 'sales', 'manager', 'owner'],
  },
  'orders.waive': { words: 'Waive the price difference of a change', roles: ['sales', 'manager', 'owner'] },
  'orders.cancel': { words: 'Cancel orders before they ship', roles: ['support', 'manager', 'owner'] },
  'orders.cancel-lines': {
    words: 'Cancel lines of an order that have not shipped',
    roles: ['support', 'warehouse', 'manager', 'owner'],
  },
  'orders.codes': {
    words: 'See completion and drop-off codes, and send them again',
    roles: ['support', 'manager', 'owner'],
  },
  'orders.ship-to': {
    words: 'See where a parcel goes while it is being packed',
    roles: ['support', 'sales', 'warehouse', 'finance', 'manager', 'owner'],
  },
  'parcels.read': {
    words: 'See parcels to pack and manifests, and print pick lists and packing slips',
    roles: ['support', 'warehouse', 'manager', 'owner'],
  },
  'parcels.ship': {
    words: 'Buy and print shipping labels, create manifests, and mark parcels shipped and delivered',
    roles: ['warehouse', 'manager', 'owner'],
  },
  'orders.emails': {
    words: 'Resend emails and text messages of an order',
    roles: ['support', 'sales', 'manager', 'owner'],
  },
  'orders.print': {
    words: 'Print receipts and work orders',
    roles: ['support', 'sales', 'warehouse', 'finance', 'manager', 'owner'],
  },
  'stock.read': {
    words: 'See stock and its adjustments',
    roles: ['support', 'sales', 'warehouse', 'catalog', 'manager', 'owner'],
  },
  'warehouses.read': { words: 'See warehouses', roles: ['support', 'warehouse', 'catalog', 'manager', 'owner'] },
  'warehouses.manage': { words: 'Add and change warehouses', roles: ['warehouse', 'manager', 'owner'] },
  'suppliers.read': { words: 'See suppliers and purchase orders', roles: ['support', 'warehouse', 'manager', 'owner'] },
  'suppliers.manage': { words: 'Add, change and retire suppliers', roles: ['manager', 'owner'] },
  'suppliers.answer': { words: 'Record suppliers’ answers', roles: ['warehouse', 'manager', 'owner'] },
  'suppliers.source': {
    words: 'Order from another warehouse what a supplier rejected',
    roles: ['warehouse', 'manager', 'owner'],
  },
  'stock.order': { words: 'Order stock from suppliers, and set reorder points', roles: ['manager', 'owner'] },
  'stock.adjust': { words: 'Adjust stock', roles: ['warehouse', 'manager', 'owner'] },
  'staff.read': { words: 'See staff and their roles', roles: ['manager', 'owner'] },
  'staff.manage': { words: 'Invite staff and revoke roles', roles: ['owner'] },
  'catalog.read': { words: 'Read the catalog and its imports', roles: ['catalog', 'manager', 'owner'] },
  'catalog.edit': {
    words: 'Add, change, hide and retire brands, models and tires, and add pictures',
    roles: ['catalog', 'manager', 'owner'],
  },
  'catalog.import': {
    words: 'Import supplier files, publish those without warnings, discard and roll back imports',
    roles: ['catalog', 'manager', 'owner'],
  },
  'catalog.publish': { words: 'Publish imports with warnings', roles: ['manager', 'owner'] },
  'reports.read': { words: 'Read reports', roles: ['finance', 'manager', 'owner'] },
  'settings.read': { words: 'See the store’s settings', roles: ['manager', 'owner'] },
  'setup.read': { words: 'See the store setup', roles: ['manager', 'owner'] },
  'setup.manage': { words: 'Run the checks of the store setup', roles: ['manager', 'owner'] },
  'store.open': { words: 'Try a charge, open the store and close it again', roles: ['owner'] },
  'settings.manage': { words: 'Change the store’s settings', roles: ['owner'] },
  'audit.read': { words: 'Read the audit log', roles: ['finance', 'manager', 'owner'] },
  'price-lists.read': { words: 'Read price lists', roles: ['sales', 'finance', 'manager', 'owner'] },
  'price-lists.edit': { words: 'Upload, schedule, assign and end price lists', roles: ['finance', 'manager', 'owner'] },
  'sales-tax.read': {
    words: 'View sales tax rates, fees, and orders with estimated tax',
    roles: ['finance', 'manager', 'owner'],
  },
  'sales-tax.edit': { words: 'Change and import sales tax rates and fees', roles: ['finance', 'manager', 'owner'] },
  'promotions.read': { words: 'Read promotions', roles: ['sales', 'catalog', 'finance', 'manager', 'owner'] },
  'promotions.edit': { words: 'Make, schedule and end promotions', roles: ['sales', 'manager', 'owner'] },
  'email-templates.manage': { words: 'Change email templates and send tests', roles: ['manager', 'owner'] },
  'content.edit': {
    words: 'Write, preview, publish and roll back content pages',
    roles: ['catalog', 'manager', 'owner'],
  },
  'payment-pages.read': {
    words: 'See the scripts and checks of payment pages',
    roles: ['finance', 'manager', 'owner'],
  },
  'payment-pages.approve': { words: 'Approve scripts for payment pages', roles: ['owner'] },
  'redirects.edit': { words: 'Add, import and remove redirects', roles: ['catalog', 'manager', 'owner'] },
  'legal.publish': { words: 'Publish the privacy policy and the terms', roles: ['owner'] },
  'quotes.write': { words: 'Write and send quotes', roles: ['support', 'sales', 'manager', 'owner'] },
  'quotes.approve': { words: 'Approve quotes below the floor', roles: ['manager', 'owner'] },
  'pay.read': { words: 'View shop payouts', roles: ['finance', 'manager', 'owner'] },
  'pay.adjust': {
    words: 'Adjust and claw back shop payouts, and answer disputes',
    roles: ['finance', 'manager', 'owner'],
  },
  'pay.approve': {
    words: 'Approve adjustments of others, take transfers to shops back',
    roles: ['finance', 'manager', 'owner'],
  },
  'pay.matrix': { words: 'Change the pay matrix of shops', roles: ['finance', 'manager', 'owner'] },
} as const satisfies Record<string, Rule>

export type Permission = keyof typeof permissions

/**
 * Permissions that only people give to others, for approvals, acts that require a recent sign-in, and concessions (with
 * limits per person). Otherwise, a program could get around its own limits through a person.
 */
export const permissionsGivenByPeople: readonly Permission[] = [
  'staff.manage',
  'settings.manage',
  'store.open',
  'customers.manage',
  'account-types.set',
  'payment-pages.approve',
  'tire-registrations.export',
  'refunds.approve',
  'quotes.approve',
  'pay.approve',
  'pay.read',
  'pay.adjust',
  'refunds.make',
  'returns.refund',
  'credit.give',
  'claims.decide',
  'guarantees.decide',
  'orders.waive',
  'quotes.write',
  'promotions.edit',
  'price-lists.edit',
]

/** Every permission of a role. */
export function permissionsOf(role: StaffRole): Permission[] {
  return (Object.keys(permissions) as Permission[]).filter((permission) => staffCan([role], permission))
}

/** Whether any of these roles has a permission. */
export function staffCan(roles: readonly StaffRole[], permission: Permission): boolean {
  const permitted: readonly BuiltInRole[] = permissions[permission].roles
  return roles.some((role) =>
    typeof role === 'string' ? permitted.includes(role) : role.permissions.includes(permission),
  )
}

/** "Support", or the name of the store's own role. */
export function staffRoleName(role: StaffRole): string {
  return typeof role === 'string' ? staffRoleNames[role] : role.name
}
