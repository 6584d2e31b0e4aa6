/** Certifications of installation shops, and stores with a shop's brand. */
import { defineActions, formAction, numberedId } from '#app/office/define-actions.server.ts'
import { switchStore } from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import {
  activateStoreForm,
  deactivateStoreForm,
  installerIdOf,
} from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { certifyShop, revokeCertification } from '#domain/scheduling/installers/installers.server.ts'
import { certificationForm, revokeCertificationForm } from '#domain/scheduling/installers/installers.ts'

export const certificationActions = defineActions({
  resource: 'certified-shops',
  noun: 'certification',
  permission: 'certifications.decide',
  actions: {
    add: formAction(
      { summary: 'Certify a shop for a year', form: certificationForm },
      ({ app, by }, seen) => certifyShop(app, seen, by),
      ({ id }) => String(id),
    ),
    revoke: formAction(
      { summary: 'Revoke a certification', form: revokeCertificationForm },
      ({ app, by, id }, { reason }) => revokeCertification(app, { id: numberedId(id), reason, by }),
    ),
  },
  refusals: {
    'shop-not-found': { field: 'shop', text: 'No active shop has this code.', status: 409 },
    'certified-already': {
      field: 'shop',
      text: 'This shop is already certified. Revoke that certification first, or wait until it ends.',
      status: 409,
    },
    'not-certified': 'This certification was already revoked.',
  },
})

/** Stores with a shop's brand. A record's ID is the shop's code. */
export const brandedStoreActions = defineActions({
  resource: 'branded-stores',
  noun: 'store',
  permission: 'branded-stores.decide',
  actions: {
    activate: formAction(
      { summary: 'Activate a branded store', description: '`seen` is its `version`.', form: activateStoreForm },
      ({ app, by, id }, { seen }) => switchStore(app, { shopCode: installerIdOf(id) ?? '', seen, offReason: null, by }),
    ),
    deactivate: formAction(
      { summary: 'Refuse or deactivate a branded store', form: deactivateStoreForm },
      ({ app, by, id }, { seen, reason }) =>
        switchStore(app, { shopCode: installerIdOf(id) ?? '', seen, offReason: reason, by }),
    ),
  },
  refusals: {
    'no-store': 'This shop has no store.',
    'changed-meanwhile': 'The shop changed its store after you opened this page. Review it again.',
    'shop-not-offered': 'This shop isn’t active, so its store stays off.',
    'no-reason': { text: 'Enter the reason. The shop sees it.', status: 422 },
  },
})
