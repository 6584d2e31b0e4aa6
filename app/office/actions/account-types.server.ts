/** Account types that staff set, with their documents. */
import { z } from 'zod'
import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { documentFaults, documentTypes, readSentDocument } from '#app/office/picture.server.ts'
import { creditAccount } from '#app/views/office/credit.server.ts'
import { findPerson } from '#app/views/office/customer.server.ts'
import {
  addAccountDocument,
  listAccountDocuments,
  removeAccountDocument,
  setAccountType,
  typeVersion,
} from '#domain/customers/programs/programs.server.ts'
import { accountTypeForm, mostDocuments, removeDocumentForm, staffTypes } from '#domain/customers/programs/programs.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { findGrant } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { countOf } from '#platform/count-text.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Application } from '#application'

const accountRefusals = {
  'customer-not-found': null,
  'no-account': 'This customer has no account. Ask them to sign up with their email first.',
} as const

/** The account that gets a type on the customer's page. */
async function accountOf(app: Application, id: string): Promise<string> {
  const person = await findPerson(app, id)
  return (person && creditAccount(person)?.id) ?? ''
}

export const accountTypeActions = defineActions({
  resource: 'customers',
  part: 'account-type',
  noun: 'account type',
  permission: 'account-types.set',
  actions: {
    change: formAction(
      {
        summary: 'Set a customer’s account type',
        description:
          'Prices change at once; orders keep theirs. `until` is the last day in the store’s time zone, null for no end. Retail ends the current type.',
        form: accountTypeForm,
      },
      async ({ app, by, id }, typed) => setAccountType(app, by, { accountId: await accountOf(app, id), ...typed }),
    ),
  },
  refusals: {
    ...accountRefusals,
    company: 'This account belongs to a company, which sets its type. Remove it from the company first.',
    member: 'Refund the membership to end it.',
    changed: { text: 'Another team member changed the type. Check it, and save again.', status: 409 },
  },
  async read(app, id) {
    const accountId = await accountOf(app, id)
    if (accountId === '') return undefined
    const grant = await findGrant(app.db, accountId, app.clock.now())
    const type = grant?.type ?? 'Retail'
    return {
      type,
      until: lastDay(grant?.until ?? null),
      reason: grant?.reason ?? '',
      version: typeVersion(grant),
      isSetByStaff: staffTypes.some((each) => each === type),
    }
  },
  facts: z.object({ isSetByStaff: z.boolean().meta({ description: 'Whether staff can set this type' }) }),
})

/** The last day of a period in the store's time zone, as a date field has it. */
export function lastDay(until: Temporal.Instant | null): string | null {
  return until && storeDay(until.subtract({ nanoseconds: 1 })).toString()
}

export const accountDocumentActions = defineActions({
  resource: 'customers',
  part: 'documents',
  noun: 'account document',
  permission: 'account-types.set',
  actions: {
    add: formAction(
      {
        summary: 'Add a document to a customer’s account',
        description: `PNG, JPEG, WebP, or PDF, up to ${maxAttachmentBytes / 1024 / 1024} MB. An account has up to ${countOf(mostDocuments, 'document')}.`,
        form: z.object({}),
        file: documentTypes,
      },
      async (call) => {
        const file = await readSentDocument(call)
        if (!file.ok) return file
        return addAccountDocument(call.app, call.by, {
          accountId: await accountOf(call.app, call.id),
          file: file.value,
        })
      },
      ({ id }) => id,
    ),
    remove: formAction(
      { summary: 'Remove a document from a customer’s account', form: removeDocumentForm },
      async ({ app, by, id }, { document }) =>
        removeAccountDocument(app, by, { accountId: await accountOf(app, id), documentId: document }),
    ),
  },
  refusals: {
    ...accountRefusals,
    ...documentFaults('file'),
    'too-many-documents': {
      text: `An account has up to ${countOf(mostDocuments, 'document')}. Remove one first.`,
      field: 'file',
    },
    'no-document': { text: 'This document was already removed.', status: 404 },
  },
  async read(app, id) {
    const accountId = await accountOf(app, id)
    if (accountId === '') return undefined
    const documents = await listAccountDocuments(app, [accountId])
    return {
      documents: documents.map(({ id: document, name, by, addedAt }) => ({
        document,
        name,
        by,
        addedAt: addedAt.toString(),
      })),
    }
  },
  facts: z.object({
    documents: z.array(z.object({ document: z.string(), name: z.string(), by: z.string(), addedAt: z.string() })),
  }),
})
