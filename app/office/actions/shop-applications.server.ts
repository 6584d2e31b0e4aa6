import { defineActions, formAction, plainAction } from '#app/office/define-actions.server.ts'
import {
  approveShop,
  askApplicant,
  refuseShop,
} from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import {
  parseShopApplicationNumber,
  questionForm,
  refusalForm,
} from '#domain/installer-portal/shop-applications/shop-applications.ts'

const applicationId = (text: string) => parseShopApplicationNumber(text) ?? 0

const notOpen = 'This application was decided or withdrawn, or is waiting for an answer.'

export const shopApplicationActions = defineActions({
  resource: 'shop-applications',
  noun: 'shop application',
  permission: 'shop-applications.decide',
  actions: {
    approve: plainAction(
      {
        summary: 'Approve a shop application',
        description: 'Creates the shop, in onboarding, and emails its owner.',
      },
      ({ app, by, id }) => approveShop(app, { id: applicationId(id), by }),
    ),
    ask: formAction(
      {
        summary: 'Ask about a shop application',
        description: 'Emails the question to the owner word for word.',
        form: questionForm,
      },
      ({ app, by, id }, { question }) => askApplicant(app, { id: applicationId(id), question, by }),
    ),
    refuse: formAction(
      {
        summary: 'Refuse a shop application',
        description: 'Emails the reason to the owner word for word.',
        form: refusalForm,
      },
      ({ app, by, id }, { reason }) => refuseShop(app, { id: applicationId(id), reason, by }),
    ),
  },
  refusals: { 'not-open': notOpen, 'not-found': notOpen },
})
