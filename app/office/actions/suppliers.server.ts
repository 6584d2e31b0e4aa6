import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import {
  addSupplier,
  changeSupplier,
  findSupplier,
  restoreSupplier,
  retireSupplier,
} from '#domain/supply/stock/stock.server.ts'
import { webhookRefusals } from '#domain/channels/webhooks/webhooks.ts'
import { supplierForm, supplierVersionForm } from '#domain/supply/stock/stock.ts'
import { countOf } from '#platform/count-text.ts'

/** Returns the supplier number in an address. */
export const supplierId = (text: string) => numberedId(text, 32_767)

export const supplierActions = defineActions({
  resource: 'suppliers',
  noun: 'supplier',
  permission: 'suppliers.manage',
  actions: {
    add: formAction(
      { summary: 'Add a supplier', form: supplierForm },
      ({ app, by }, draft) => addSupplier(app, by, draft),
      ({ id }) => String(id),
    ),
    change: formAction(
      {
        summary: 'Change a supplier',
        description: 'Its code stays. Its secrets stay unless you send new ones; they are never returned.',
        form: supplierForm,
      },
      ({ app, by, id }, draft) => changeSupplier(app, by, supplierId(id), draft),
    ),
    retire: formAction(
      {
        summary: 'Retire a supplier',
        description: 'Clears the stock of its warehouses. Refused while it has open purchase orders.',
        form: supplierVersionForm,
      },
      ({ app, by, id }, { version }) => retireSupplier(app, by, { id: supplierId(id), version }),
    ),
    restore: formAction(
      {
        summary: 'Reactivate a supplier',
        description: 'Its warehouses have stock again after its next stock file.',
        form: supplierVersionForm,
      },
      ({ app, by, id }, { version }) => restoreSupplier(app, by, { id: supplierId(id), version }),
    ),
  },
  refusals: {
    gone: null,
    'code-taken': { field: 'code', text: 'Another supplier has this code.', status: 409 },
    'identity-taken': { field: 'networkId', text: 'Another supplier has this identity.', status: 409 },
    'secret-missing': { field: 'cxmlSecret', text: 'Enter the supplier system’s secret.' },
    'edi-secret-missing': { field: 'ediPassword', text: 'Enter a password or a private key.' },
    'edi-bad-address': { field: 'ediUrl', text: webhookRefusals['bad-address'] },
    'edi-private-address': { field: 'ediUrl', text: webhookRefusals['private-address'] },
    'key-missing': { field: 'availabilityKey', text: 'Enter the key for the availability service.' },
    'bad-address': { field: 'availabilityUrl', text: webhookRefusals['bad-address'] },
    'not-https': { field: 'availabilityUrl', text: webhookRefusals['not-https'] },
    'private-address': { field: 'availabilityUrl', text: webhookRefusals['private-address'] },
    'orders-open': ({ count }) =>
      `This supplier has ${countOf(count, 'open purchase order')}. You can retire it once all are completed or canceled.`,
  },
  async read(app, id) {
    const supplier = await findSupplier(app, supplierId(id))
    if (!supplier) return undefined
    const { code, name, accountNumber, leadDays, discountPpm, freightCents, minimumOrderCents, version } = supplier
    const { paymentDays, networkId, cxmlUrl, cxmlIdentity, availabilityUrl } = supplier
    const { ediUrl, ediIdentity, ediUsername, ediHostKey } = supplier
    return {
      code,
      name,
      accountNumber,
      leadDays,
      discount: String(discountPpm / 10_000),
      freight: freightCents || null,
      minimumOrder: minimumOrderCents,
      paymentDays,
      networkId,
      cxmlUrl,
      cxmlIdentity,
      ediUrl,
      ediIdentity,
      ediUsername,
      ediHostKey,
      availabilityUrl,
      version,
    }
  },
})
