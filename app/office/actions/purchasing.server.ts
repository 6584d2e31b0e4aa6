import { z } from 'zod'
import { defineActions, formAction } from '#app/office/define-actions.server.ts'
import { purchasingForm } from '#domain/channels/purchasing/purchasing.ts'
import { sendDocumentAgain, setPurchasingSystem } from '#domain/channels/purchasing/purchasing.server.ts'

export const purchasingActions = defineActions({
  resource: 'purchasing-systems',
  noun: 'purchasing system',
  permission: 'companies.read',
  actions: {
    change: formAction(
      {
        summary: 'Set the purchasing system of a company',
        description: 'The ID is the company’s. Only staff issue its secrets, which are shown once.',
        permission: 'companies.decide',
        form: purchasingForm,
      },
      ({ app, by, id: companyId }, terms) => setPurchasingSystem(app, { companyId, terms, by }),
    ),
    again: formAction(
      {
        summary: 'Resend a purchasing document of a company',
        description: 'One that could not be delivered.',
        permission: 'companies.decide',
        form: z.object({ document: z.uuid('Choose a document.') }),
      },
      ({ app, by, id: companyId }, { document: documentId }) => sendDocumentAgain(app, { documentId, companyId, by }),
    ),
  },
  refusals: {
    'company-not-found': { text: 'Company not found.', status: 404 },
    'not-approved': 'Only approved companies can have a purchasing system.',
    'not-dead': 'This document isn’t waiting for you.',
    'identity-taken': { field: 'identity', text: 'Another company has that identity.', status: 409 },
    'secret-missing': { field: 'secret', text: 'Enter the secret that our documents send to that address.' },
  },
})
