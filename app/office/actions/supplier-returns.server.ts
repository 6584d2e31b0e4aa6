import { z } from 'zod'
import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import {
  cancelSupplierReturn,
  createSupplierReturn,
  creditSupplierReturn,
  findSupplierReturn,
  sendSupplierReturn,
} from '#domain/supply/stock/stock.server.ts'
import {
  creditSupplierReturnForm,
  expectedCredit,
  newSupplierReturnForm,
  sendSupplierReturnForm,
  supplierReturnStates,
  supplierReturnVersionForm,
} from '#domain/supply/stock/stock.ts'
import { countOf } from '#platform/count-text.ts'

/** Returns the return's number in an address. */
export const supplierReturnId = (text: string) => numberedId(text, Number.MAX_SAFE_INTEGER)

export const supplierReturnActions = defineActions({
  resource: 'supplier-returns',
  noun: 'supplier return',
  permission: 'stock.order',
  readPermission: 'suppliers.read',
  actions: {
    add: formAction(
      {
        summary: 'Add a draft of a supplier return',
        description:
          'The same `key` adds one draft, however often it is sent. Enter the expected credit for a unit after the quantity if it differs from the supplier’s price.',
        form: newSupplierReturnForm,
      },
      ({ app, by }, draft) => createSupplierReturn(app, by, draft),
      ({ id }) => String(id),
    ),
    send: formAction(
      {
        summary: 'Send a supplier return',
        description: 'Takes its units out of stock, at their average cost.',
        form: sendSupplierReturnForm,
      },
      ({ app, by, id }, asked) => sendSupplierReturn(app, by, { id: supplierReturnId(id), ...asked }),
    ),
    credit: formAction(
      {
        summary: 'Record the credit of a supplier return',
        description: 'The difference from the cost of the units changes the cost of goods sold.',
        form: creditSupplierReturnForm,
      },
      ({ app, by, id }, asked) => creditSupplierReturn(app, by, { id: supplierReturnId(id), ...asked }),
    ),
    cancel: formAction(
      { summary: 'Cancel a draft of a supplier return', form: supplierReturnVersionForm },
      ({ app, by, id }, { version }) => cancelSupplierReturn(app, by, { id: supplierReturnId(id), version }),
    ),
  },
  refusals: {
    gone: null,
    'other-state': 'This return changed after you opened it. Reload the page.',
    'supplier-retired': { field: 'supplier', text: 'This supplier was retired. Choose another supplier.' },
    'not-ours': { field: 'warehouse', text: 'Choose one of our warehouses.' },
    'no-lines': { field: 'add', text: 'Enter the tires to return.' },
    'not-enough': ({ sku, free }) => `The warehouse has ${countOf(free, 'available unit')} of ${sku}.`,
    'sku-unknown': ({ skus }) => ({ field: 'add', text: `SKU not found: ${skus.slice(0, 5).join(', ')}.` }),
    'cost-missing': ({ skus }) => ({
      field: 'add',
      text: `The catalog has no cost for ${skus.slice(0, 5).join(', ')}. Enter the credit after the quantity.`,
    }),
    'too-many-lines': { field: 'add', text: 'A return has up to 100 lines. Split it.' },
    'too-many-units': ({ sku }) => ({ field: 'add', text: `A return has up to 10,000 units of ${sku}.` }),
  },
  async read(app, id) {
    const found = await findSupplierReturn(app, supplierReturnId(id))
    if (!found) return undefined
    const { state, rma, version, creditCents, creditReference } = found.returned
    return {
      state,
      rma,
      version,
      expectedCents: expectedCredit(found.lines),
      creditCents,
      creditReference,
      lines: found.lines.map(({ sku, quantity, unitCreditCents }) => ({ sku, quantity, unitCreditCents })),
    }
  },
  facts: z.object({
    state: z.enum(supplierReturnStates),
    expectedCents: z.int(),
    creditCents: z.int().nullable(),
    creditReference: z.string().nullable(),
    lines: z.array(z.object({ sku: z.string(), quantity: z.int(), unitCreditCents: z.int() })),
    version: z.int(),
    rma: z.string().nullable(),
  }),
})
