/** Forms and texts for shops and vans as edited by staff and owners. Safe in the browser. */
import type { ShopStatus } from '#domain/scheduling/installers/installers.server.ts'
import { otherServices, tireServices } from '#domain/installer-portal/shop-applications/shop-applications.ts'

export { newShopForm, profileForm, profileDecisionForm, type NewShopDraft, type ProfileDraft } from './profile-form.ts'
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

/** Every service a shop may offer, by its key. */
export const shopServices: Readonly<Record<string, string>> = { ...tireServices, ...otherServices }

/** "Alignment, Brakes": services as people read them. */
export function servicesText(services: readonly string[]): string {
  return services.map((key) => shopServices[key] ?? key).join(', ')
}

/** Why a profile is refused. */
export const shopProfileMessages = {
  'zip-unknown': 'We don’t know where this ZIP code is. Enter one with a street address.',
  'zone-moves':
    'This ZIP code is in another time zone, and appointments ahead were booked in the old one. Move or cancel those first.',
  'kind-fixed':
    'A shop can’t become a mobile installer, or the reverse, because bays, service areas, and appointments differ. Add a new one instead.',
} as const
