/** Forms and texts for shops and vans as edited by staff and owners. Safe in the browser. */
import type { ShopStatus } from '#domain/scheduling/installers/installers.server.ts'

export { newShopForm, profileForm, profileDecisionForm, type NewShopDraft, type ProfileDraft } from './profile-form.ts'
export { servicesText, shopServices } from './shop-services.ts'
export {
  maxShopFileBytes,
  optionalShopColumns,
  requiredShopColumns,
  shopFileColumns,
  shopFileLimits,
  shopFileValues,
} from './shop-file.ts'
export {
  choiceField,
  closeForm,
  closingChoicesForm,
  closingForm,
  longPauseMessage,
  maxClosingDays,
  maxListed,
  maxPauseDays,
  pauseForm,
  reopenForm,
  type AppointmentChoice,
  type AppointmentChoices,
} from './status-form.ts'

export const statusNames: Readonly<Record<ShopStatus, string>> = {
  open: 'Active',
  suspended: 'Suspended',
  closed: 'Closed',
}

/** Why a profile is refused. */
export const shopProfileMessages = {
  'zip-unknown': 'We don’t know where this ZIP code is. Enter one with a street address.',
  'zone-moves':
    'This ZIP code is in another time zone, and appointments ahead were booked in the old one. Move or cancel those first.',
  'kind-fixed':
    'A shop can’t become a mobile installer, or the reverse, because bays, service areas, and appointments differ. Add a new one instead.',
} as const
